import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { POLL_TIMEOUT_MS } from "../repository/polling.ts";
import { REPOSITORY_ROOT } from "../repository/repository.ts";

/**
 * Runs a script with `sh -eu` and returns what it prints.
 *
 * @param cwd the repository's root by default
 * @throws Error with the output where it fails or takes more than 30 s
 */
export async function runShell(script: string, cwd = REPOSITORY_ROOT): Promise<string> {
  const { stdout } = await promisify(execFile)("sh", ["-euc", script], { cwd, timeout: POLL_TIMEOUT_MS });
  return stdout;
}
