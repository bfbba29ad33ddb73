import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { timed } from "./apply.ts";
import { type BenchSale, LARGE, loadSale, SMALL } from "./scale.ts";
import { type BenchTable, median } from "./support/bench-table.ts";
import { walletOf } from "./support/bid-book.ts";
import { amount } from "./support/quick.ts";

const ROUNDS = amount(200, 10);
const WARM_UP_ROUNDS = amount(150, 1);
/** The most that a look-up in the large sale may take over one in the small sale. */
const MOST_SIZE_RATIO = 1.2;
/** The most that a look-up may take over a public read that the gateway doesn't have in memory. */
const MOST_READ_RATIO = 1.5;

/** A request whose time is taken. */
interface Operation {
  readonly name: string;
  run(round: number): Promise<unknown>;
}

/**
 * Compares looking up a wallet in a sale of a million commitments with one in a thousand, and with a public read that the gateway has
 * to load: whole requests to a gateway, one after the other, in turn.
 */
export async function positionBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "4G" });
  stack.defer(() => mariaDb.stop());
  const { text } = generateCallerKey();
  const env = { MYSQL_URL: await mariaDb.createDatabase("position") };
  const service = await startCommitmentsProcess(env, { otherCallers: { gateway: text } });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const small = await loadSale(service, SMALL);
  const large = await loadSale(service, LARGE);
  // Of a gateway that holds one sale only, two sales read in turn are never in memory.
  const upstream = { COMMITMENTS_URL: service.url, CALLER_NAME: "gateway", CALLER_KEY: text, CACHE_MAX_SALES: "1" };
  const gateway = await startGatewayProcess(upstream);
  stack.defer(async () => void (await gateway.process.kill("SIGTERM")));
  const medians = await takeTurns([
    {
      name: "public read that is loaded",
      run: (round) => readWhole(gateway.read((round % 2 ? small : large).saleUuid)),
    },
    { name: `look-up, ${SMALL.commitments.toLocaleString("en")} commitments`, run: lookUp(gateway, small) },
    { name: `look-up, ${LARGE.commitments.toLocaleString("en")} commitments`, run: lookUp(gateway, large) },
  ]);
  await requireLoads(gateway);
  return tableOf(medians);
}

function lookUp(gateway: GatewayProcess, { saleUuid, size }: BenchSale): Operation["run"] {
  return async (round) => {
    const wallet = walletOf((round * 7_919) % size.commitments, round % 2);
    const answer = await readWhole(
      fetch(`${gateway.url}/svc/v1/public/read-position`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ SaleUUID: saleUuid, Wallet: wallet }),
      }),
    );
    if (JSON.parse(answer).Commitments.length !== 1) throw new Error(`${wallet} hasn't one commitment: ${answer}`);
  };
}

/** @throws Error if the request failed */
async function readWhole(answering: Promise<Response>): Promise<string> {
  const answer = await answering;
  if (answer.status !== 200) throw new Error(`${answer.url} answered ${answer.status}`);
  return answer.text();
}

/** Runs the operations in turn. @returns the median time of each, in milliseconds */
async function takeTurns(operations: readonly Operation[]): Promise<readonly (readonly [string, number])[]> {
  const times = operations.map((): number[] => []);
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const [index, { run }] of operations.entries()) {
      const millis = await timed(() => run(round));
      if (round >= WARM_UP_ROUNDS) times[index]?.push(millis);
    }
  }
  return operations.map(({ name }, index) => [name, median(times[index] ?? [])]);
}

/** @throws Error if public reads came from memory, so that there is nothing to compare with */
async function requireLoads(gateway: GatewayProcess): Promise<void> {
  const loads = await gateway.metric("tidemark_gateway_upstream_calls_total", 'method="GetCommitmentData"');
  if (loads < WARM_UP_ROUNDS + ROUNDS) throw new Error(`only ${loads} public reads were loaded`);
}

function tableOf(medians: readonly (readonly [string, number])[]): BenchTable {
  const [read = Number.NaN, small = Number.NaN, large = Number.NaN] = medians.map(([, millis]) => millis);
  return {
    title: "Looking up a wallet, through a gateway (durable MariaDB, 4 GB pool)",
    columns: ["request", "ms", "over a loaded public read"],
    rows: medians.map(([name, millis]) => [name, millis.toFixed(2), (millis / read).toFixed(3)]),
    notes: [
      `Medians of ${ROUNDS} rounds in turn, each of another wallet with one commitment; a public read has 100 commitments. Large over small sale: ${(large / small).toFixed(3)}.`,
    ],
    required: [
      { name: "look-ups: large over small sale", value: large / small, atMost: MOST_SIZE_RATIO },
      { name: "look-up in the large sale over a loaded public read", value: large / read, atMost: MOST_READ_RATIO },
    ],
  };
}
