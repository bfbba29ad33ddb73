import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DEFINITION_MODULES } from "../../test/cluster/support/definition-modules.ts";
import {
  type ClusterProgram,
  CONTROL_PROGRAMS,
  NODE_PROGRAMS,
  programVariable,
} from "../../test/cluster/support/programs.ts";
import { findProgram } from "../../test/support/processes/program.ts";
import { type Part, type PartContext, type PartResult, skippedResult } from "./part.ts";
import { ROOT, runCommand } from "./run-command.ts";
import {
  COREDNS,
  type GoProgram,
  goProgram,
  goTool,
  HELM,
  isBuilt,
  isKept,
  KUBE_ROUTER,
  keptGoTool,
  pythonTool,
  TRAEFIK,
} from "./tools.ts";
import { vitestPart } from "./vitest-part.ts";

const MINUTE_MS = 60_000;

const FOLDER = "test/cluster/servers";
const PAGE = "docs/kubernetes.md";
const UNSEEN = "What the tests on real nodes don't show";

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
  const env = await clusterEnvironment([]);
  if ("missing" in env) return skippedResult(`cluster: ${env.missing}`);
  const run = { projects: ["cluster"], env: env.variables };
  return vitestPart({ name: "cluster", run: "long", limitMs: context.limitMs }, run).check(context);
}

/** The variables in which tests get helm and the programs of a cluster, or what can't be had. */
async function clusterEnvironment(
  more: readonly ClusterGoProgram[],
): Promise<{ readonly variables: Record<string, string> } | { readonly missing: string }> {
  const lacking = await lackingModules();
  if (lacking !== undefined) return { missing: lacking };
  const helm = await goTool(HELM);
  if ("missing" in helm) return helm;
  const variables: Record<string, string> = { HELM: helm.path };
  for (const program of [...controlPrograms(), ...more]) {
    const built = await goProgram(program);
    if ("missing" in built) return built;
    variables[programVariable(program.name)] = built.path;
  }
  return { variables };
}

/** Starts nodes with containers, and does on them what docs/kubernetes.md says; the programs are built once, in about 24 minutes. */
export const nodesPart: Part = {
  name: "nodes",
  run: "long",
  limitMs: 50 * MINUTE_MS,
  leastMs: 10 * MINUTE_MS,
  check: checkNodes,
};

/** Debian packages of a node, by a program of each. */
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  containerd: "containerd",
  runc: "runc",
  iptables: "iptables",
  ipset: "ipset",
  conntrack: "conntrack",
  ip: "iproute2",
  unshare: "util-linux",
  sysctl: "procps",
  "dpkg-query": "dpkg",
  tar: "tar",
};
/** Cases of a run without `--all`. */
const SHORT_CASES = "test/cluster/nodes/cases/";
const LONG_CASES = "the cases in test/cluster/nodes/long-cases: `npm run test:cluster -- --all` runs them";
const HOST_SCRIPT = join(ROOT, "test/cluster/nodes/host.sh");

async function checkNodes(context: PartContext): Promise<PartResult> {
  const why = await whyNoNodes(context.isNamed ?? false);
  if (why !== undefined) return skippedResult(`nodes: ${why}`);
  const env = await clusterEnvironment(nodePrograms());
  if ("missing" in env) return skippedResult(`nodes: ${env.missing}`);
  for (const tool of [COREDNS, KUBE_ROUTER]) {
    const kept = await keptGoTool(tool);
    if ("missing" in kept) return skippedResult(`nodes: ${kept.missing}`);
    env.variables[programVariable(tool.name as ClusterProgram)] = kept.path;
  }
  const others = context.hasAll ? await addController(env.variables) : [LONG_CASES];
  const paths = context.hasAll ? [] : [SHORT_CASES];
  const run = { projects: ["nodes"], paths, env: env.variables, inside: HOST_SCRIPT, showsTests: true };
  const result = await vitestPart({ name: "nodes", run: "long", limitMs: context.limitMs }, run).check(context);
  return { ...result, notRun: [...result.notRun, ...others, ...unseen(readFileSync(join(ROOT, PAGE), "utf8"))] };
}

/** Adds the ingress controller to the variables of tests. @returns why its cases are skipped, where they are */
async function addController(variables: Record<string, string>): Promise<readonly string[]> {
  const controller = await pythonTool(TRAEFIK);
  if ("missing" in controller) return [`nodes: the cases behind an ingress controller: ${controller.missing}`];
  variables[programVariable("traefik")] = controller.path;
  return [];
}

/** Why this machine can't have nodes; undefined where it can. What takes many minutes to build is built only where the part is named. */
async function whyNoNodes(mayBuild: boolean): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root of a Linux makes nodes";
  if (!existsSync("/sys/fs/cgroup/memory/cgroup.procs")) return "the cgroups of this machine aren't of version 1";
  if (!readFileSync("/proc/filesystems", "utf8").includes("overlay")) return "this kernel has no overlay file system";
  const absent = Object.entries(NODE_PACKAGES).filter(([program]) => findProgram(program) === undefined);
  const packages = absent.map(([, name]) => name);
  if (!existsSync("/usr/lib/cni/bridge")) packages.push("containernetworking-plugins");
  if (packages.length > 0) return `Debian's packages ${packages.join(", ")} are not installed`;
  const needed = NEEDED.find((name) => findProgram(name) === undefined);
  if (needed !== undefined) return `${needed} is not installed`;
  const unbuilt = [
    ...[...controlPrograms(), ...nodePrograms()].filter((program) => !isBuilt(program)),
    ...[COREDNS, KUBE_ROUTER].filter((tool) => !isKept(tool)),
  ];
  if (unbuilt.length > 0 && !mayBuild) {
    const names = unbuilt.map(({ name }) => name).join(", ");
    return `${names} are not built yet: \`npm run test:cluster\` builds them, in up to 24 minutes`;
  }
  const { ok, output } = await runCommand({ command: HOST_SCRIPT, args: ["true"], limitMs: MINUTE_MS });
  return ok ? undefined : `this machine makes no host of its own: ${output.trim()}`;
}

/** Why the definitions of other operators' objects can't be had; undefined where they can, or are in Go's cache. */
async function lackingModules(): Promise<string | undefined> {
  const args = ["mod", "download", ...DEFINITION_MODULES];
  const { ok, output } = await runCommand({ command: "go", args, limitMs: 5 * MINUTE_MS });
  return ok ? undefined : `Go could not load ${DEFINITION_MODULES.join(" ")}: ${output}`;
}

type ClusterGoProgram = GoProgram & { readonly name: ClusterProgram };

function controlPrograms(): readonly ClusterGoProgram[] {
  return [{ name: "etcd", folder: FOLDER, package: "go.etcd.io/etcd/server/v3" }, ...kubernetes(CONTROL_PROGRAMS)];
}

/** Programs that nodes need besides. */
function nodePrograms(): readonly ClusterGoProgram[] {
  return [...kubernetes(NODE_PROGRAMS), { name: "pause", folder: "test/cluster/nodes/pause" }];
}

/** Programs of the module, with the version that Kubernetes' own build gives to its binaries. */
function kubernetes(names: readonly ClusterProgram[]): readonly ClusterGoProgram[] {
  const [, major, minor, patch] = /k8s\.io\/kubernetes v(\d+)\.(\d+)\.(\d+)/.exec(readModule()) ?? [];
  const version = { gitVersion: `v${major}.${minor}.${patch}`, gitMajor: major, gitMinor: minor };
  const linkerFlags = Object.entries(version).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  return names.map((name) => ({ name, folder: FOLDER, package: `k8s.io/kubernetes/cmd/${name}`, linkerFlags }));
}

function readModule(): string {
  return readFileSync(join(ROOT, FOLDER, "go.mod"), "utf8");
}

/** The list in the documentation of what these tests can't show, one line each. */
function unseen(page: string): readonly string[] {
  const [, after = ""] = page.split(`### ${UNSEEN}\n`);
  const [section = ""] = after.split(/^#/m);
  return Array.from(section.matchAll(/^- (.+(?:\n {2}.+)*)/gm), ([, text = ""]) => text.replaceAll(/\s+/g, " "));
}
