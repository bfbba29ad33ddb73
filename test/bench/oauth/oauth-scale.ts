import { startMariaDb } from "../../support/databases/mariadb.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { type BenchTable, median } from "../support/bench-table.ts";
import { amount } from "../support/quick.ts";
import { EXCHANGE_BODY, REFRESH_BODY } from "./application.ts";
import { alternateRounds, memoryOf } from "./oauth.ts";
import { queryPlans } from "./query-plans.ts";
import { startTidemark, type Tidemark } from "./tidemark.ts";
import { type Round, tokenRounds } from "./token-rounds.ts";

const CONNECTIONS = 16;
const WARM_UP_ROUNDS = amount(4, 0);
const ROUNDS = amount(9, 1);
const MOST_RATIO = 1.3;
const SMALL = { accounts: 1_000, expiredCodes: 1_000 };
const LARGE = amount({ accounts: 1_000_000, expiredCodes: 1_000_000 }, { accounts: 2_000, expiredCodes: 2_000 });

/**
 * Compares code exchanges and refreshes with 1,000,000 accounts and expired codes to those with 1,000: two databases of one
 * durable MariaDB, each with its own services, in alternating rounds. About two minutes.
 */
export async function oauthScaleBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "4G" });
  stack.defer(() => mariaDb.stop());
  const small = await startTidemark(stack, mariaDb, "small", SMALL);
  const large = await startTidemark(stack, mariaDb, "large", LARGE);
  const rounds = await alternateRounds({ small, large }, WARM_UP_ROUNDS, ROUNDS, (one) =>
    tokenRounds(one, folder.path, CONNECTIONS),
  );
  const of = (pick: (one: (typeof rounds.small)[number]) => Round) => ({
    small: rounds.small.map(pick),
    large: rounds.large.map(pick),
  });
  const rows = [
    row(
      "code exchange",
      of(({ exchange }) => exchange),
    ),
    row(
      "refresh",
      of(({ refresh }) => refresh),
    ),
  ];
  // Grants once before, so that the plans show no statement still in flight from the last round.
  for (const one of [small, large]) await grantOnce(one);
  const plans = await queryPlans(mariaDb, large.databaseName, () => grantOnce(large));
  return {
    title: "Tokens with 1,000,000 accounts and 1,000,000 expired codes over 1,000 of both (durable MariaDB, 4 GB pool)",
    columns: [
      "operation",
      "at 1,000 /s",
      "at 1,000,000 /s",
      "time ratio",
      "CPU µs at 1,000",
      "at 1,000,000",
      "CPU ratio",
    ],
    rows: rows.map(({ cells }) => cells),
    notes: [
      `Medians of ${ROUNDS} rounds of 1 s, alternating, ${CONNECTIONS} connections; at most ${MOST_RATIO}. CPU of gateway, auth service and MariaDB for each operation.`,
      `Memory: ${await memoryOf([small, large])}.`,
      "Query plans of one exchange and one refresh at 1,000,000:",
      ...plans.map((plan) => `  ${plan}`),
    ],
    required: rows.map(({ cells, ratio }) => ({ name: cells[0] ?? "", value: ratio, atMost: MOST_RATIO })),
  };
}

function row(
  operation: string,
  { small, large }: { readonly small: readonly Round[]; readonly large: readonly Round[] },
) {
  const ratioOf = (value: (round: Round) => number) =>
    median(large.map((round, index) => value(round) / value(small[index] ?? round)));
  const rate = (rounds: readonly Round[]) => median(rounds.map(({ perSecond }) => perSecond)).toFixed(0);
  const cpu = (rounds: readonly Round[]) => median(rounds.map(totalCpu)).toFixed(0);
  const ratio = ratioOf(({ perSecond }) => 1 / perSecond);
  const cells = [rate(small), rate(large), ratio.toFixed(3), cpu(small), cpu(large), ratioOf(totalCpu).toFixed(3)];
  return { ratio, cells: [operation, ...cells] };
}

function totalCpu({ cpuMicros }: Round): number {
  return [...cpuMicros.values()].reduce((total, micros) => total + micros, 0);
}

/** Makes one exchange and one refresh. */
async function grantOnce(tidemark: Tidemark): Promise<void> {
  const [code = ""] = await tidemark.prepareCodes(1);
  const { refresh_token: refreshToken } = await post(tidemark, EXCHANGE_BODY + code);
  await post(tidemark, REFRESH_BODY + refreshToken);
}

async function post({ tokenUrl }: Tidemark, body: string): Promise<{ readonly refresh_token: string }> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(tokenUrl, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`no tokens: ${response.status} ${await response.text()}`);
  return response.json();
}
