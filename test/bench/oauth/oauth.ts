import { startMariaDb } from "../../support/databases/mariadb.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { type BenchTable, median } from "../support/bench-table.ts";
import { residentBytes } from "../support/process-usage.ts";
import { amount } from "../support/quick.ts";
import type { Contestant } from "./contestant.ts";
import { DpopProofs } from "./dpop-proofs.ts";
import { flowRound } from "./flow-rounds.ts";
import { startOidcProvider } from "./oidc-provider.ts";
import { startTidemark } from "./tidemark.ts";
import { dpopRound, type TokenRounds, tokenRounds } from "./token-rounds.ts";

/** Connections of wrk, for a moderate load and for one that keeps all processes busy, with the ratios of a code exchange. */
interface Load {
  readonly connections: number;
  readonly least: number;
}

const LOADS: readonly Load[] = [
  { connections: 16, least: 0.4 },
  { connections: 64, least: 0.7 },
];
const LEAST_REFRESH = 0.3;
const LEAST_FLOW = 0.25;
const WARM_UP_ROUNDS = amount(4, 0);
const ROUNDS = amount(7, 1);
const FLOW_ROUNDS = amount(3, 1);
const HISTORY = { accounts: 1_000, expiredCodes: 1_000 };

interface Measured {
  readonly perSecond: number;
  readonly cpuMicros: ReadonlyMap<string, number>;
}

interface Row {
  readonly ratio: number;
  /** The least ratio. */
  readonly least: number;
  readonly cells: readonly string[];
}

interface Contest {
  readonly provider: readonly Measured[];
  readonly tidemark: readonly Measured[];
}

/**
 * Compares code exchanges, refreshes and whole flows of gateway and auth service on a durable MariaDB with those of
 * `oidc-provider` with its in-memory adapter; exchanges also with DPoP. All servers run at the same time in their own processes, and
 * rounds alternate. About four minutes.
 */
export async function oauthBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "4G" });
  stack.defer(() => mariaDb.stop());
  const tidemark = await startTidemark(stack, mariaDb, "tidemark", HISTORY);
  const provider = await startOidcProvider(stack);
  const contestants = { provider, tidemark };
  const proofs = new DpopProofs();
  const rows: Row[] = [];
  for (const load of LOADS) rows.push(...(await tokenRows(contestants, folder.path, load)));
  for (const load of LOADS) rows.push(await dpopRow(contestants, folder.path, load, proofs));
  rows.push(row("whole flow", await alternateRounds(contestants, 1, FLOW_ROUNDS, flowRound), LEAST_FLOW));
  return {
    title: "Tokens: gateway and auth service on a durable MariaDB (4 GB pool) ÷ oidc-provider in memory",
    columns: ["operation", "provider/s", "Tidemark/s", "ratio", "provider CPU µs", "gateway", "auth", "MariaDB"],
    rows: rows.map(({ cells }) => cells),
    notes: [
      `Medians of ${ROUNDS} rounds of 1 s, alternating, by connections of wrk (flows: ${FLOW_ROUNDS} rounds of 3 s, 8 browsers in a Node process); the ratio is the median of the rounds' ratios. ${LOADS.map(({ connections, least }) => `Exchanges at ${connections}: at least ${least}.`).join(" ")} Refreshes: at least ${LEAST_REFRESH}. Whole flows: at least ${LEAST_FLOW}.`,
      "CPU in µs for each operation, by process. Both: public client, PKCE S256, access token a JWT signed with ES256, opaque refresh tokens that rotate. Both demand nonces in DPoP proofs, which are made before a round.",
      `Memory: ${await memoryOf([provider, tidemark])}.`,
    ],
    required: rows.map(({ cells, ratio, least }) => ({ name: cells[0] ?? "", value: ratio, atLeast: least })),
  };
}

async function tokenRows(
  contestants: Record<keyof Contest, Contestant>,
  folder: string,
  { connections, least }: Load,
): Promise<Row[]> {
  const rounds = await alternateRounds(contestants, WARM_UP_ROUNDS, ROUNDS, (one) =>
    tokenRounds(one, folder, connections),
  );
  const of = (pick: (one: TokenRounds) => Measured): Contest => ({
    provider: rounds.provider.map(pick),
    tidemark: rounds.tidemark.map(pick),
  });
  return [
    row(
      `code exchange, ${connections}`,
      of(({ exchange }) => exchange),
      least,
    ),
    row(
      `refresh, ${connections}`,
      of(({ refresh }) => refresh),
      LEAST_REFRESH,
    ),
  ];
}

async function dpopRow(
  contestants: Record<keyof Contest, Contestant>,
  folder: string,
  { connections, least }: Load,
  proofs: DpopProofs,
): Promise<Row> {
  const rounds = await alternateRounds(contestants, WARM_UP_ROUNDS, ROUNDS, (one) =>
    dpopRound(one, folder, connections, proofs),
  );
  return row(`code exchange with DPoP, ${connections}`, rounds, least);
}

/** Measures all contestants in alternating rounds, and leaves out those that warm up. */
export async function alternateRounds<Name extends string, Round>(
  contestants: Readonly<Record<Name, Contestant>>,
  warmUp: number,
  rounds: number,
  measure: (contestant: Contestant) => Promise<Round>,
): Promise<Record<Name, Round[]>> {
  const names = Object.keys(contestants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Round[]])) as Record<Name, Round[]>;
  for (let round = -warmUp; round < rounds; round += 1) {
    // The first place alternates, so that a machine whose speed changes favours none.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const measured = await measure(contestants[name]);
      if (round >= 0) results[name].push(measured);
    }
  }
  return results;
}

function row(operation: string, { provider, tidemark }: Contest, least: number): Row {
  const rate = (rounds: readonly Measured[]) => median(rounds.map(({ perSecond }) => perSecond)).toFixed(0);
  const cpu = (rounds: readonly Measured[], name: string) =>
    median(rounds.map(({ cpuMicros }) => cpuMicros.get(name) ?? 0)).toFixed(0);
  const ratios = tidemark.map(({ perSecond }, index) => perSecond / (provider[index]?.perSecond ?? Number.NaN));
  const ratio = median(ratios);
  const ours = ["gateway", "auth", "MariaDB"].map((name) => cpu(tidemark, name));
  const cells = [operation, rate(provider), rate(tidemark), ratio.toFixed(3), cpu(provider, "oidc-provider"), ...ours];
  return { ratio, least, cells };
}

/** Returns the resident memory of all processes as text. */
export async function memoryOf(contestants: readonly Contestant[]): Promise<string> {
  const processes = contestants.flatMap((contestant) => contestant.processes);
  const texts = processes.map(
    async ({ name, pid }) => `${name} ${Math.round((await residentBytes(pid)) / 2 ** 20)} MiB`,
  );
  return (await Promise.all(texts)).join(", ");
}
