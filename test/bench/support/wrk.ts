import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { requireProgram } from "../../support/processes/program.ts";

const run = promisify(execFile);

/** Options of wrk, which runs with one thread, so that it uses at most one core. */
export interface WrkOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Name of a Lua script in this folder that makes the requests. It must use the `done` of `report.lua`. */
  readonly script: string;
  /** Environment variables for the script. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface WrkResult {
  readonly requests: number;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  readonly p99Micros: number;
}

/**
 * Puts load on a server with wrk, a separate process.
 *
 * @throws Error if a request failed or wasn't answered with success, because the results are then meaningless
 */
export async function runWrk({ url, connections, seconds, script, env: added }: WrkOptions): Promise<WrkResult> {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", `${folder}${script}`, url];
  const env = { ...process.env, ...added, LUA_PATH: `${folder}?.lua` };
  const { stdout } = await run(requireProgram("wrk"), args, { env, timeout: (seconds + 10) * 1000 });
  const report = /^REPORT (.*)$/m.exec(stdout)?.[1];
  if (report === undefined) throw new Error(`wrk reported nothing:\n${stdout}`);
  const { requests, durationMicros, p99Micros, errors } = JSON.parse(report);
  if (errors > 0 || requests === 0) throw new Error(`${errors} of ${requests} requests to ${url} failed:\n${stdout}`);
  const elapsed = durationMicros / 1e6;
  return { requests, seconds: elapsed, requestsPerSecond: requests / elapsed, p99Micros };
}
