import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { findProgram } from "../support/processes/program.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { ciValues, helmTemplate, type KubernetesObject, renderChart, valuesFile } from "../support/repository/chart.ts";

/** The oldest version that the chart takes, and the latest that kubectl-validate has schemas of. */
const KUBERNETES = "1.30";
const LIMIT_MS = 4 * 60_000;

/** Findings that kube-score calls critical and we accept: object, check, and reason. */
const EXCEPTIONS: readonly { readonly object: RegExp; readonly check: string; readonly reason: string }[] = [
  {
    object: /NetworkPolicy .*-operator$/,
    check: "networkpolicy-targets-pod",
    reason: "the operator's pods are started manually or by the CronJob",
  },
  {
    object: /NetworkPolicy .*-check$/,
    check: "networkpolicy-targets-pod",
    reason: "the Jobs of checks are made by `tidemark doctor`",
  },
  {
    object: /NetworkPolicy .*-test$/,
    check: "networkpolicy-targets-pod",
    reason: "kube-score takes the pod of helm test for none",
  },
  {
    object: /NetworkPolicy .*-migrations$/,
    check: "networkpolicy-targets-pod",
    reason: "kube-score doesn't look at pods of Jobs",
  },
];

/** Checks that a file of values fails on purpose. */
const IGNORED: Readonly<Record<string, readonly string[]>> = {
  evaluation: ["deployment-replicas"],
  // By its digest an image is the same wherever it comes from.
  ha: ["container-image-pull-policy"],
  "public-read": ["pod-networkpolicy"],
};

/** Kinds of Kubernetes itself; those of operators have no schema here. */
function isNative({ apiVersion }: KubernetesObject): boolean {
  return !/monitoring\.coreos|cert-manager|external-secrets|gateway\.networking/.test(apiVersion);
}

function run(program: string, args: readonly string[]): Promise<{ ok: boolean; output: string; stdout: string }> {
  const env = { ...process.env };
  delete env["KUBECONFIG"];
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: LIMIT_MS, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: `${stdout}${stderr}`, stdout });
    });
  });
}

const validate = process.env["KUBECTL_VALIDATE"] ?? findProgram("kubectl-validate");
const score = process.env["KUBE_SCORE"] ?? findProgram("kube-score");
const linter = findProgram("kube-linter");

/** The title of a tool's checks, with the reason if they are skipped. */
function titleOf(tool: string, program: string | undefined): string {
  return program === undefined ? `${tool}, which is not installed` : tool;
}

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder?.remove());

/** A file of the objects that the tools know. */
async function rendered(name: string): Promise<string> {
  const objects = (await renderChart("--values", valuesFile(name))).filter(isNative);
  const file = join(folder.path, `${name}.yaml`);
  await writeFile(file, objects.map((object) => stringify(object, { version: "1.1" })).join("---\n"));
  return file;
}

describe.skipIf(validate === undefined)(titleOf("kubectl-validate", validate), () => {
  it.each(ciValues)(`Kubernetes ${KUBERNETES}: %s`, async (name) => {
    const { ok, output } = await run(validate ?? "", ["--version", KUBERNETES, await rendered(name)]);
    expect(ok, output).toBe(true);
  });
});

describe.skipIf(score === undefined)(titleOf("kube-score", score), () => {
  it.each(ciValues)("nothing critical: %s", async (name) => {
    const options = ["--kubernetes-version", `v${KUBERNETES}`, "--output-format", "json"];
    // CPU limits: docs/decisions.md.
    const ignored = (IGNORED[name] ?? []).flatMap((test) => ["--ignore-test", test]);
    const args = ["score", ...options, "--ignore-container-cpu-limit", ...ignored, await rendered(name)];
    const { stdout, output } = await run(score ?? "", args);
    expect(stdout, output).toMatch(/^\[/);
    expect(critical(JSON.parse(stdout)).filter((finding) => !isException(finding))).toEqual([]);
  });
});

describe.skipIf(linter === undefined)(titleOf("kube-linter", linter), () => {
  it.each(ciValues)("nothing: %s", async (name) => {
    // CPU limits: docs/decisions.md.
    const options = ["--exclude", "unset-cpu-requirements"];
    const { ok, output } = await run(linter ?? "", ["lint", ...options, await rendered(name)]);
    expect(ok, output).toBe(true);
  });
});

it("the chart renders at each version of Kubernetes that is supported, and at no older one", async () => {
  for (const version of ["1.30.0", "1.31.0", "1.32.0", "1.33.0", "1.34.0", "1.35.0"]) {
    const { ok, stderr } = await helmTemplate("--kube-version", version, "--values", valuesFile("everything"));
    expect(ok, stderr).toBe(true);
  }
  const old = await helmTemplate("--kube-version", "1.29.0", "--values", valuesFile("default"));
  expect(old.stderr).toContain("incompatible with Kubernetes v1.29.0");
});

interface Finding {
  readonly object: string;
  readonly check: string;
  readonly comments: unknown;
}

const CRITICAL = 1;

function critical(scored: readonly KubernetesObject[]): Finding[] {
  return scored.flatMap(({ type_meta, object_meta, checks }) =>
    (checks as KubernetesObject[])
      .filter(({ grade, skipped }) => grade === CRITICAL && !skipped)
      .map(({ check, comments }) => ({ object: `${type_meta.kind} ${object_meta.name}`, check: check.id, comments })),
  );
}

function isException({ object, check }: Finding): boolean {
  return EXCEPTIONS.some((exception) => exception.check === check && exception.object.test(object));
}
