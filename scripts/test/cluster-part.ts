import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DEFINITION_MODULES } from "../../test/cluster/support/definition-modules.ts";
import { type ClusterProgram, programVariable } from "../../test/cluster/support/programs.ts";
import { findProgram } from "../../test/support/processes/program.ts";
import { type Part, type PartContext, type PartResult, skippedResult } from "./part.ts";
import { ROOT, runCommand } from "./run-command.ts";
import { type GoProgram, goProgram, goTool, HELM } from "./tools.ts";
import { vitestPart } from "./vitest-part.ts";

const MINUTE_MS = 60_000;

const FOLDER = "test/cluster/servers";
const PAGE = "docs/kubernetes.md";
const UNSEEN = "What the tests on a real API server don't show";

/** Installs the chart on a real API server and runs the pods' processes; the programs are built once, in about 16 minutes. */
export const clusterPart: Part = {
  name: "cluster",
  run: "long",
  limitMs: 50 * MINUTE_MS,
  leastMs: 36 * MINUTE_MS,
  packages: ["mariadb-server", "nats-server", "openssl"],
  check,
};

/** Programs without which it is skipped. */
const NEEDED = ["go", "mariadbd", "nats-server", "openssl", "bash", "npm"];

async function check(context: PartContext): Promise<PartResult> {
  if (process.platform !== "linux") return skippedResult("cluster: pods get addresses of Linux's loopback network");
  const absent = NEEDED.find((name) => findProgram(name) === undefined);
  if (absent !== undefined) return skippedResult(`cluster: ${absent} is not installed`);
  const lacking = await lackingModules();
  if (lacking !== undefined) return skippedResult(`cluster: ${lacking}`);
  const helm = await goTool(HELM);
  if ("missing" in helm) return skippedResult(`cluster: ${helm.missing}`);
  const env: Record<string, string> = { HELM: helm.path };
  for (const program of clusterPrograms()) {
    const built = await goProgram(program);
    if ("missing" in built) return skippedResult(`cluster: ${built.missing}`);
    env[programVariable(program.name)] = built.path;
  }
  const run = { projects: ["cluster"], env };
  const result = await vitestPart({ name: "cluster", run: "long", limitMs: context.limitMs }, run).check(context);
  return { ...result, notRun: [...result.notRun, ...unseen(readFileSync(join(ROOT, PAGE), "utf8"))] };
}

/** Why the definitions of other operators' objects can't be had; undefined where they can, or are in Go's cache. */
async function lackingModules(): Promise<string | undefined> {
  const args = ["mod", "download", ...DEFINITION_MODULES];
  const { ok, output } = await runCommand({ command: "go", args, limitMs: 5 * MINUTE_MS });
  return ok ? undefined : `Go could not load ${DEFINITION_MODULES.join(" ")}: ${output}`;
}

/** The programs of the module, with the version that Kubernetes' own build gives to its binaries. */
function clusterPrograms(): readonly (GoProgram & { readonly name: ClusterProgram })[] {
  const [, major, minor, patch] = /k8s\.io\/kubernetes v(\d+)\.(\d+)\.(\d+)/.exec(readModule()) ?? [];
  const version = { gitVersion: `v${major}.${minor}.${patch}`, gitMajor: major, gitMinor: minor };
  const linkerFlags = Object.entries(version).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  const kubernetes = (["kube-apiserver", "kube-controller-manager", "kubectl"] as const).map((name) => ({
    name,
    folder: FOLDER,
    package: `k8s.io/kubernetes/cmd/${name}`,
    linkerFlags,
  }));
  return [{ name: "etcd", folder: FOLDER, package: "go.etcd.io/etcd/server/v3" }, ...kubernetes];
}

function readModule(): string {
  return readFileSync(join(ROOT, FOLDER, "go.mod"), "utf8");
}

/** The list in the documentation of what these tests can't show, one line each. */
function unseen(page: string): readonly string[] {
  const [, after = ""] = page.split(`## ${UNSEEN}\n`);
  const [section = ""] = after.split(/^#/m);
  return Array.from(section.matchAll(/^- (.+(?:\n {2}.+)*)/gm), ([, text = ""]) => text.replaceAll(/\s+/g, " "));
}
