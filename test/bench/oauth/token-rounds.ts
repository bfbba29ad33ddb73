import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cpuMicros } from "../support/process-usage.ts";
import { runWrk } from "../support/wrk.ts";
import { EXCHANGE_BODY, REFRESH_BODY } from "./application.ts";
import type { Contestant } from "./contestant.ts";

/** What was measured of one operation for some time. */
export interface Round {
  readonly perSecond: number;
  readonly p99Micros: number;
  /** For each operation, by process. */
  readonly cpuMicros: ReadonlyMap<string, number>;
}

export interface TokenRounds {
  readonly exchange: Round;
  readonly refresh: Round;
}

const SECONDS = 1;
/** More than any server redeems in a round. */
const CODES = 12_000;

/**
 * Exchanges codes for a second, each once, and then refreshes the tokens that this gave, each as often as it comes to.
 *
 * @param folder for files that wrk reads and writes.
 * @param connections of wrk.
 * @throws Error where a request is refused
 */
export async function tokenRounds(contestant: Contestant, folder: string, connections: number): Promise<TokenRounds> {
  const [codes, tokens] = [join(folder, "codes"), join(folder, "tokens")];
  await writeFile(codes, (await contestant.prepareCodes(CODES)).join("\n"));
  const exchanging = { TOKEN_BODY: EXCHANGE_BODY, TOKEN_FILE: codes, ANSWER_FILE: tokens };
  const exchange = await load(contestant, connections, exchanging);
  await checkTokens(tokens, connections);
  const refresh = await load(contestant, connections, { TOKEN_BODY: REFRESH_BODY, TOKEN_FILE: tokens });
  return { exchange, refresh };
}

/** CPU time for each operation that `work` counts, by process. */
export async function cpuPerOperation(
  { processes }: Contestant,
  work: () => Promise<number>,
): Promise<ReadonlyMap<string, number>> {
  const before = await Promise.all(processes.map(({ pid }) => cpuMicros(pid)));
  const operations = await work();
  const after = await Promise.all(processes.map(({ pid }) => cpuMicros(pid)));
  return new Map(
    processes.map(({ name }, index) => [name, ((after[index] ?? 0) - (before[index] ?? 0)) / operations] as const),
  );
}

async function load(
  contestant: Contestant,
  connections: number,
  env: Readonly<Record<string, string>>,
): Promise<Round> {
  const results: Awaited<ReturnType<typeof runWrk>>[] = [];
  const cpu = await cpuPerOperation(contestant, async () => {
    const options = { url: contestant.tokenUrl, connections, seconds: SECONDS };
    const result = await runWrk({ ...options, script: "token-requests.lua", env });
    results.push(result);
    return result.requests;
  });
  const [{ requestsPerSecond = 0, p99Micros = 0 } = {}] = results;
  return { perSecond: requestsPerSecond, p99Micros, cpuMicros: cpu };
}

async function checkTokens(file: string, connections: number): Promise<void> {
  const tokens = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  if (tokens.length < 2 * connections) throw new Error(`only ${tokens.length} exchanges gave a refresh token`);
  if (new Set(tokens).size !== tokens.length) throw new Error("two exchanges gave the same refresh token");
}
