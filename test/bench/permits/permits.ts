import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { startMariaDb } from "../../support/databases/mariadb.ts";
import { startProcess } from "../../support/processes/child-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { type BenchTable, median } from "../support/bench-table.ts";
import { cpuMicros } from "../support/process-usage.ts";
import { amount } from "../support/quick.ts";
import { runWrk } from "../support/wrk.ts";
import { type PermitDeployment, startPermitDeployment } from "./permit-deployment.ts";

const CONNECTIONS = [16, 64];
const PARTICIPANTS = amount(500, 100);
/** The time in which V8 has compiled what a permit takes: until then a permit takes half as much CPU again. */
const WARM_UP_SECONDS = amount(30, 1);
const WARM_UP_ROUNDS = amount(1, 0);
const ROUNDS = amount(3, 1);
const SECONDS = amount(2, 1);
/** The connections at which the ratio is required; with fewer it is reported. */
const JUDGED_CONNECTIONS = 64;
const LEAST_RATIO = 0.2;
const SIGNED = /^\{"msg":"signatures are done".*$/;

interface Round {
  readonly perSecond: number;
  readonly p99Micros: number;
  /** CPU time per permit, by process. */
  readonly cpuMicros: readonly number[];
  readonly ratio: number;
  readonly barePerSecond: number;
}

/** The figures at a number of connections. */
interface PermitRow {
  readonly connections: number;
  readonly ratio: number;
  readonly cells: readonly string[];
}

/**
 * Compares `IssuePermit` on a durable MariaDB, with auth in its own process and without screening, with viem's `signMessage` of
 * as many bytes on all cores. Rounds alternate. About two minutes.
 */
export async function permitsBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "1G" });
  stack.defer(() => mariaDb.stop());
  const deployment = await startPermitDeployment(stack, mariaDb, PARTICIPANTS);
  const file = join(folder.path, "requests");
  await writeFile(file, deployment.requests.map((body) => Buffer.from(body).toString("hex")).join("\n"));
  await warmUp(deployment, file);
  const rows: PermitRow[] = [];
  for (const connections of CONNECTIONS) rows.push(rowOf(connections, await rounds(deployment, file, connections)));
  const cores = availableParallelism();
  return {
    title: "Permits: IssuePermit on a durable MariaDB ÷ viem's signMessage of the same bytes on the same cores",
    columns: ["connections", "bare/s", "permits/s", "ratio", "p99 ms", "entities CPU µs", "auth", "MariaDB"],
    rows: rows.map(({ cells }) => cells),
    notes: [
      `Medians of ${ROUNDS} rounds of ${SECONDS} s, alternating; bare: ${cores} processes, one for each core, which do nothing else. The ratio is the median of the rounds' ratios: at least ${LEAST_RATIO} at ${JUDGED_CONNECTIONS} connections.`,
      "The cores also run wrk, auth and MariaDB. CPU in µs for each permit, by process.",
    ],
    required: rows
      .filter(({ connections }) => connections === JUDGED_CONNECTIONS)
      .map(({ ratio, connections }) => ({ name: `ratio at ${connections}`, value: ratio, atLeast: LEAST_RATIO })),
  };
}

async function warmUp({ url, authorization }: PermitDeployment, file: string): Promise<void> {
  const env = { REQUEST_FILE: file, AUTHORIZATION: await authorization() };
  const [connections = 1] = CONNECTIONS;
  await runWrk({ url, connections, seconds: WARM_UP_SECONDS, script: "permit-requests.lua", env });
}

async function rounds(deployment: PermitDeployment, file: string, connections: number): Promise<readonly Round[]> {
  const measured: Round[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const barePerSecond = await signaturesPerSecond();
    const issued = await permitsPerSecond(deployment, file, connections);
    if (round >= 0) measured.push({ ...issued, barePerSecond, ratio: issued.perSecond / barePerSecond });
  }
  return measured;
}

/** Signs in a process for each core at once. */
async function signaturesPerSecond(): Promise<number> {
  const counts = await Promise.all(Array.from({ length: availableParallelism() }, signatures));
  return counts.reduce((sum, count) => sum + count, 0) / SECONDS;
}

async function signatures(): Promise<number> {
  const args = [new URL("bare-signer.ts", import.meta.url).pathname];
  const signer = await startProcess({ command: process.execPath, args, env: { SECONDS: String(SECONDS) } });
  const [line] = await signer.waitForLine(SIGNED);
  return JSON.parse(line).signatures;
}

async function permitsPerSecond(
  { url, processes, authorization, permits }: PermitDeployment,
  file: string,
  connections: number,
): Promise<Pick<Round, "perSecond" | "p99Micros" | "cpuMicros">> {
  const env = { REQUEST_FILE: file, AUTHORIZATION: await authorization() };
  const [recorded, before] = [await permits(), await Promise.all(processes.map(({ pid }) => cpuMicros(pid)))];
  const result = await runWrk({ url, connections, seconds: SECONDS, script: "permit-requests.lua", env });
  const after = await Promise.all(processes.map(({ pid }) => cpuMicros(pid)));
  const issued = (await permits()) - recorded;
  if (issued < result.requests) throw new Error(`${result.requests} answers, and ${issued} permits`);
  return {
    perSecond: result.requestsPerSecond,
    p99Micros: result.p99Micros,
    cpuMicros: processes.map((_, index) => ((after[index] ?? 0) - (before[index] ?? 0)) / result.requests),
  };
}

function rowOf(connections: number, measured: readonly Round[]): PermitRow {
  const of = (pick: (round: Round) => number) => median(measured.map(pick));
  const ratio = of((round) => round.ratio);
  const cpu = [0, 1, 2].map((index) => of(({ cpuMicros }) => cpuMicros[index] ?? 0).toFixed(0));
  const rates = [of(({ barePerSecond }) => barePerSecond), of(({ perSecond }) => perSecond)];
  const p99 = (of(({ p99Micros }) => p99Micros) / 1_000).toFixed(1);
  return {
    connections,
    ratio,
    cells: [String(connections), ...rates.map((rate) => rate.toFixed(0)), ratio.toFixed(3), p99, ...cpu],
  };
}
