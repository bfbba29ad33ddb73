import { randomUUID } from "node:crypto";
import { COMMITMENTS_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { GALERA_NODES, startGalera } from "../support/databases/galera.ts";
import { createMariaDbDatabase, startMariaDb } from "../support/databases/mariadb.ts";
import { startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { openAuction } from "./apply.ts";
import { ApplyCaller } from "./latency/apply-caller.ts";
import { type BenchTable, median } from "./support/bench-table.ts";
import { BidBook } from "./support/bid-book.ts";
import { amount } from "./support/quick.ts";

const SALES_EACH = amount(20, 8);
const WORKERS_EACH = 8;
const TICKS = 1_000;
const ROUNDS = amount(3, 1);
const ROUND_MS = amount(4_000, 500);
const DATABASE = "galera";

/** Services that share a database, each with sales of its own. */
interface Deployment {
  readonly name: string;
  /** Applies bids with all workers for a round. @returns applies a second */
  applyForRound(): Promise<number>;
}

/**
 * Compares the applies of three commitments services on a Galera cluster of three with those on one MariaDB. The rounds alternate,
 * and all servers are on this machine. About three minutes.
 */
export async function galeraBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const one = stack.adopt(await startMariaDb(), (server) => server.stop());
  const nodes = await startGalera(stack);
  const [first = one] = nodes;
  await createMariaDbDatabase(first.url, DATABASE);
  const atOne = await one.createDatabase(DATABASE);
  const atNodes = nodes.map(({ url }) => `${url}/${DATABASE}`);
  const deployments = [
    await startDeployment(stack, "one MariaDB", Array(GALERA_NODES).fill(atOne)),
    await startDeployment(stack, "a cluster, all at one of its servers", Array(GALERA_NODES).fill(atNodes[0])),
    await startDeployment(stack, "a cluster, each at a server of its own", atNodes),
  ];
  const rates = deployments.map(() => [] as number[]);
  for (let round = -1; round < ROUNDS; round++) {
    for (const [index, deployment] of deployments.entries()) {
      const rate = await deployment.applyForRound();
      if (round >= 0) rates[index]?.push(rate);
    }
  }
  const ratioOf = (index: number) => median((rates[index] ?? []).map((rate, round) => rate / (rates[0]?.[round] ?? 0)));
  return {
    title: `Applies of one bid by ${GALERA_NODES} commitments services, ${SALES_EACH} sales each`,
    columns: ["database", "applies/s", "ratio"],
    rows: deployments.map(({ name }, index) => [
      name,
      median(rates[index] ?? []).toFixed(0),
      ratioOf(index).toFixed(2),
    ]),
    notes: [
      `${WORKERS_EACH} applies in flight at each service; medians of ${ROUNDS} rounds of ${ROUND_MS / 1_000} s. No server syncs to disk. All of them, services and clients share the machine, where each row of a cluster is written three times.`,
    ],
    required: [],
  };
}

/** Starts a service for each URL of the database. */
async function startDeployment(
  stack: AsyncDisposableStack,
  name: string,
  urls: readonly string[],
): Promise<Deployment> {
  const workers: (() => Promise<unknown>)[] = [];
  for (const [index, mysqlUrl] of urls.entries()) {
    const key = generateCallerKey();
    const service = await startCommitmentsProcess({ MYSQL_URL: mysqlUrl }, { key });
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
    const sales: string[] = [];
    while (sales.length < SALES_EACH) sales.push(await openAuction(service));
    const caller = await ApplyCaller.of(service.url, {
      name: "operator",
      key: key.key,
      audience: COMMITMENTS_AUDIENCE,
    });
    stack.defer(() => caller.close());
    const bids = new BidBook(TICKS, index);
    let next = 0;
    const applyOne = () => {
      const bid = next++;
      return caller.apply(sales[bid % SALES_EACH] ?? "", randomUUID(), bids.bid(bid));
    };
    for (let worker = 0; worker < WORKERS_EACH; worker++) workers.push(applyOne);
  }
  return { name, applyForRound: () => applyWith(workers) };
}

async function applyWith(workers: readonly (() => Promise<unknown>)[]): Promise<number> {
  const begin = performance.now();
  let applied = 0;
  const work = async (applyOne: () => Promise<unknown>) => {
    while (performance.now() - begin < ROUND_MS) {
      await applyOne();
      applied++;
    }
  };
  await Promise.all(workers.map(work));
  return (applied * 1_000) / (performance.now() - begin);
}
