import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cpuMicros } from "../support/process-usage.ts";
import { runWrk } from "../support/wrk.ts";
import { EXCHANGE_BODY, REFRESH_BODY } from "./application.ts";
import type { Contestant } from "./contestant.ts";
import type { DpopProofs } from "./dpop-proofs.ts";

/** The measurements of one operation in one round. */
export interface Round {
  readonly perSecond: number;
  readonly p99Micros: number;
  /** CPU time per operation, by process. */
  readonly cpuMicros: ReadonlyMap<string, number>;
}

export interface TokenRounds {
  readonly exchange: Round;
  readonly refresh: Round;
}

const SECONDS = 1;
/** The number of codes for a round, more than any server redeems. */
const CODES = 12_000;

/**
 * Exchanges codes for one second, each once, then refreshes the resulting tokens for one second, some of them repeatedly.
 *
 * @param folder a folder for files that wrk reads and writes
 * @param connections the number of connections of wrk
 * @throws Error if a request fails
 */
export async function tokenRounds(contestant: Contestant, folder: string, connections: number): Promise<TokenRounds> {
  const [codes, tokens] = [join(folder, "codes"), join(folder, "tokens")];
  await writeFile(codes, (await contestant.prepareCodes(CODES)).join("\n"));
  const exchange = await exchangeAll(contestant, connections, { codes, tokens });
  const refresh = await load(contestant, connections, { TOKEN_BODY: REFRESH_BODY, TOKEN_FILE: tokens });
  return { exchange, refresh };
}

/**
 * Exchanges codes for one second, each once and with a DPoP proof of its own.
 *
 * @param folder a folder for files that wrk reads and writes
 * @param connections the number of connections of wrk
 * @throws Error if a request fails
 */
export async function dpopRound(
  contestant: Contestant,
  folder: string,
  connections: number,
  proofs: DpopProofs,
): Promise<Round> {
  const [codes, tokens] = [join(folder, "codes"), join(folder, "tokens")];
  const prepared = await contestant.prepareCodes(CODES);
  const proof = await proofs.make(contestant.tokenUrl, CODES);
  await writeFile(codes, prepared.map((code, index) => `${code} ${proof[index]}`).join("\n"));
  return exchangeAll(contestant, connections, { codes, tokens });
}

/** The paths of the files that codes are read from, and refresh tokens written to. */
interface TokenFiles {
  readonly codes: string;
  readonly tokens: string;
}

async function exchangeAll(contestant: Contestant, connections: number, { codes, tokens }: TokenFiles): Promise<Round> {
  const exchanging = { TOKEN_BODY: EXCHANGE_BODY, TOKEN_FILE: codes, ANSWER_FILE: tokens };
  const round = await load(contestant, connections, exchanging);
  await checkTokens(tokens, connections);
  return round;
}

/** Measures the CPU time per operation, by process. @param work does operations and returns their number */
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
