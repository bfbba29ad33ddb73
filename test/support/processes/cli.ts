import { execFile } from "node:child_process";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { type CliClients, runCli } from "../../../services/cli/cli.ts";
import { POLL_TIMEOUT_MS } from "../repository/polling.ts";
import { REPOSITORY_ROOT } from "../repository/repository.ts";
import { inheritedEnvironment } from "./child-process.ts";

/** Outcome of one run of the operator's command. */
export interface CliRun {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs the operator's command as a process of its own, with these variables only. */
export function runCliProcess(args: readonly string[], env: Readonly<Record<string, string>>): Promise<CliRun> {
  const options = { cwd: REPOSITORY_ROOT, env: { ...inheritedEnvironment(), ...env }, timeout: POLL_TIMEOUT_MS };
  return new Promise((resolve) => {
    execFile(process.execPath, ["services/cli/main.ts", ...args], options, (error, output, errors) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, output, errors });
    });
  });
}

/** Runs the operator's command in this process, with these clients. */
export async function runCliWith(clients: CliClients, args: readonly string[]): Promise<CliRun> {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const texts = Promise.all([text(output), text(errors)]);
  const { signal } = new AbortController();
  const code = await runCli({ args, variables: {}, output, errors, signal }, () => clients);
  output.end();
  errors.end();
  const [written, failures] = await texts;
  return { code, output: written, errors: failures };
}
