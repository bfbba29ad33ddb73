import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { inheritedEnvironment, type RunningProcess, startProcess } from "../../support/processes/child-process.ts";
import { helmProgram } from "../../support/repository/chart.ts";
import { REPOSITORY_ROOT } from "../../support/repository/repository.ts";
import type { ClusterAccess } from "./api.ts";
import { clusterProgram } from "./programs.ts";

/** Runs kubectl as an administrator and returns what it prints. @throws Error with what it says where it fails */
export function kubectl(access: ClusterAccess, args: readonly string[]): Promise<string> {
  return run(clusterProgram("kubectl"), access, args);
}

/** Runs helm as an administrator and returns what it prints. @throws Error with what it says where it fails */
export function helm(access: ClusterAccess, args: readonly string[]): Promise<string> {
  return run(requireHelm(), access, args);
}

/**
 * Runs a script of bash, with kubectl and helm as an administrator, and returns what it prints.
 *
 * @param env more variables
 * @throws Error with what it says where one of its commands fails
 */
export function script(
  access: ClusterAccess,
  text: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return run("bash", access, scriptArguments(text), env);
}

/** Starts such a script, which goes on until it is killed. @param ready a line of its output, to wait for */
export function startScript(access: ClusterAccess, text: string, ready: RegExp): Promise<RunningProcess> {
  const options = { cwd: REPOSITORY_ROOT, env: operatorEnvironment(access), ready };
  return startProcess({ command: "bash", args: scriptArguments(text), ...options });
}

function scriptArguments(text: string): string[] {
  return ["--norc", "-euo", "pipefail", "-c", text];
}

/** Environment in which scripts find kubectl and helm, both as an administrator of the cluster. */
function operatorEnvironment(access: ClusterAccess): Record<string, string> {
  const folders = [dirname(process.execPath), dirname(clusterProgram("kubectl")), dirname(requireHelm())];
  return {
    ...inheritedEnvironment(),
    PATH: [...folders, process.env["PATH"]].join(":"),
    KUBECONFIG: access.kubeconfig,
    // kubectl and helm keep what they have learned of the API below it.
    HOME: join(dirname(access.kubeconfig), "home"),
  };
}

async function run(
  program: string,
  access: ClusterAccess,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd: REPOSITORY_ROOT, env: { ...operatorEnvironment(access), ...env }, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(program, args, options);
  return stdout;
}

function requireHelm(): string {
  const path = helmProgram();
  if (path === undefined) throw new Error("helm is not installed");
  return path;
}
