import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../../test/support/processes/program.ts";
import { runCommand } from "./run-command.ts";
import { type FoundTool, toolCache } from "./tool-cache.ts";

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
export const PROMTOOL: GoTool = {
  name: "promtool",
  module: "github.com/prometheus/prometheus/cmd/promtool",
  // Prometheus 3.16: earlier modules have `replace` directives, with which Go installs nothing.
  version: "v0.316.0",
};

const CACHE = toolCache("go-tools");
/** Compiling the largest, promtool, takes many minutes on two cores. */
const INSTALL_LIMIT_MS = 20 * 60_000;

/** The tool on the PATH, else the kept one, else it is installed by Go where that is there and can. */
export async function goTool(tool: GoTool): Promise<FoundTool> {
  const installed = findProgram(tool.name);
  return installed === undefined ? keptGoTool(tool) : { path: installed };
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

/** The folder of a module's files, as Go keeps them; undefined where Go isn't installed or can't fetch the module. */
export async function goModuleFolder(module: string, version: string): Promise<string | undefined> {
  const args = ["mod", "download", "-json", `${module}@${version}`];
  const { ok, output } = await runCommand({ command: "go", args, limitMs: INSTALL_LIMIT_MS });
  return ok ? /"Dir": "([^"]+)"/.exec(output)?.[1] : undefined;
}
