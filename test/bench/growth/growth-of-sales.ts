import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { type Connection, createConnection, type RowDataPacket } from "mysql2/promise";
import { COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { type CallerCredentials, generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { contractUuid, openChainSale } from "../../support/chains/chain-sale.ts";
import { auctionCalls, type BidInput, deployAuctionSale, TOKENS } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { startMariaDb } from "../../support/databases/mariadb.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/processes/gateway-process.ts";
import {
  anvilChain,
  type IndexerProcess,
  indexerKey,
  startIndexerProcess,
} from "../../support/processes/indexer-process.ts";
import { startNats } from "../../support/processes/nats.ts";
import { openAuction } from "../apply.ts";
import { ApplyCaller } from "../latency/apply-caller.ts";
import { BidBook } from "../support/bid-book.ts";
import { type CountingProxy, startCountingProxy } from "../support/counting-proxy.ts";
import { residentBytes } from "../support/process-usage.ts";
import { amount } from "../support/quick.ts";
import type { GrowthFigures } from "./growth.ts";

const SALES = amount([10, 1_000, 10_000], [4, 8, 12]);
const LARGEST = Math.max(...SALES);
const MOST_LIVE = amount(100, 2);
/** Open sales with a contract that has a bid and in which nothing happens any more: part of the sales. */
const FOLLOWED = amount([1, 10, 100], [1, 2, 3]);
const BID: BidInput = {
  entity: `0x${"0b".repeat(16)}`,
  price: 1_000n,
  lockup: false,
  added: [{ wallet: `0x${"d0".repeat(20)}`, token: TOKENS[0], amount: 1_000n }],
  extraData: "0x",
};
/** Changes a second, of all live sales together: the same at each size. */
const CHANGES = 10;
const SETTLE_S = amount(15, 1);
const WINDOW_S = amount(40, 2);
const BLOCK_INTERVAL_MS = 2_000;
const READERS = 32;
const TICKS = 1_000;
const MOST_CALLS = 12;
/** A read an hour of about fifteen calls. */
const MOST_FINAL_CHAIN_CALLS = 10;
const STATUS = { table: "sale_source_status", settledLongAgo: 1n, success: 10_000_000n };

/** Counts since the processes began. */
interface Counts {
  readonly calls: ReadonlyMap<string, number>;
  readonly statements: number;
  readonly finalChainCalls: number;
  readonly followedChainCalls: number;
  readonly followedChainPosts: number;
  readonly blocks: number;
  readonly wakeUps: readonly number[];
}

interface Deployment {
  readonly service: CommitmentsProcess;
  readonly gateway: GatewayProcess;
  readonly indexer: IndexerProcess;
  readonly database: Connection;
  readonly chain: TestChain;
  readonly finalProxy: CountingProxy;
  readonly followedProxy: CountingProxy;
  readonly credentials: CallerCredentials;
}

const PROCESSES = ["gateway", "indexer", "commitments"] as const;
const METHODS = [
  "GetRevisions",
  "ListChangedSales",
  "ListSales",
  "GetSale",
  "AcquireSaleLease",
  "AcquireSaleLeases",
  "RenewSaleLeases",
  "ReportSourceStatus",
  "ReportSourceStatuses",
];

/**
 * Grows the number of sales. Some are changed all the time, a few are open with a contract in which nothing happens, and of the others
 * half are open without a contract and half have a contract and are final. A gateway holds all of them.
 */
export async function growthOfSales(): Promise<GrowthFigures> {
  await using stack = new AsyncDisposableStack();
  const deployment = await start(stack);
  const templates = await makeTemplates(deployment);
  const live: string[] = [];
  const columns: ReadonlyMap<string, string>[] = [];
  for (const [index, sales] of SALES.entries()) {
    while (live.length < Math.min(MOST_LIVE, sales / 2)) live.push(await openAuction(deployment.service));
    await openFollowed(deployment, FOLLOWED[index] ?? 0);
    await fillUp(deployment, sales, templates);
    await readAll(deployment);
    columns.push(await measure(deployment, live));
  }
  const names = [...(columns[0]?.keys() ?? [])];
  const last = columns.at(-1);
  const figure = (name: string) => Number(last?.get(name));
  const sizes = SALES.map((count) => count.toLocaleString("en")).join(" / ");
  return {
    rows: [
      [`sales (live: ${MOST_LIVE} at most)`, ...SALES.map((count) => count.toLocaleString("en"))],
      ...names.map((name) => [`  ${name}`, ...columns.map((column) => column.get(name) ?? "")]),
    ],
    notes: [
      `Sales: ${sizes}; ${CHANGES} changes/s of live sales, ${FOLLOWED.join(" / ")} open auctions on a chain with a block every ${BLOCK_INTERVAL_MS / 1_000} s, of the others half open without a contract and half final with one. One of each process; the gateway holds every sale. Counted over ${WINDOW_S} s. Wake-ups: voluntary context switches of the main thread, whose number falls while a process is busy.`,
    ],
    required: [
      {
        name: `revisions and lists a second with ${LARGEST} sales`,
        value: figure("GetRevisions/s") + figure("ListChangedSales/s") + figure("ListSales/s"),
        atMost: MOST_CALLS,
      },
      {
        name: "calls a second of a chain for each 1,000 final sales",
        value: figure("chain calls/s, final sales") / (LARGEST / 2_000),
        atMost: MOST_FINAL_CHAIN_CALLS,
      },
    ],
  };
}

async function start(stack: AsyncDisposableStack): Promise<Deployment> {
  const mariaDb = stack.adopt(await startMariaDb({ bufferPool: "1G" }), (server) => server.stop());
  const nats = stack.adopt(await startNats(), (server) => server.stop());
  const anvil: Anvil = stack.adopt(await startAnvil(), (each) => each.stop());
  const proxies = [await startCountingProxy(anvil.url), await startCountingProxy(anvil.url)] as const;
  for (const proxy of proxies) stack.defer(() => proxy.close());
  const [operator, key] = [generateCallerKey(), generateCallerKey().text];
  const url = await mariaDb.createDatabase("growth");
  const env = { MYSQL_URL: url, NATS_URL: nats.url };
  const otherCallers = { gateway: key, indexer: indexerKey.text };
  const service = await startCommitmentsProcess(env, { key: operator, otherCallers });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const database = stack.adopt(await createConnection(url), (connection) => connection.end());
  const chainOf = (proxy: CountingProxy) => anvilChain(proxy.url, anvil.chainId, { pollInterval: "2s" });
  const chains = { final: chainOf(proxies[0]), followed: chainOf(proxies[1]) };
  const indexer = await startIndexerProcess(service.url, chains, { SALES_INTERVAL: "2s", LEASE_DURATION: "6s" });
  stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  const settings = { COMMITMENTS_URL: service.url, NATS_URL: nats.url, CALLER_NAME: "gateway", CALLER_KEY: key };
  const gateway = await startGatewayProcess({ ...settings, CACHE_IDLE: "1h" });
  stack.defer(async () => void (await gateway.process.kill("SIGTERM")));
  const chain = await TestChain.connect(anvil);
  const credentials = { name: "operator", key: operator.key, audience: COMMITMENTS_AUDIENCE };
  const [finalProxy, followedProxy] = proxies;
  return { service, gateway, indexer, database, chain, finalProxy, followedProxy, credentials };
}

/** Sales of which copies are made: one that is open without a contract, and a final one. */
async function makeTemplates({ service, database }: Deployment): Promise<readonly [string, string]> {
  const open = await openAuction(service);
  const final = await openChainSale(service, `0x${"c1".repeat(20)}`, randomUUID(), "final");
  const sale = bytesOf(final);
  await database.query("update sale_state set status = 'settled', stage = 'done', has_snapshot = 1 where sale = ?", [
    sale,
  ]);
  const status = {
    sale,
    head_height: 9,
    fault: "",
    warning: "",
    checked_at_ms: STATUS.success,
    sweep_rows_done: 0,
    sweep_rows_total: 0,
    sweep_running: 0,
    sweep_answers: 0,
    sweep_requests: 0,
    as_of_height: 9,
    as_of_hash: Buffer.alloc(32, 9),
    success_at_ms: STATUS.success,
    read_interval_ms: 20_000,
    settled_since_ms: STATUS.settledLongAgo,
  };
  await database.query("replace into sale_source_status set ?", [status]);
  return [open, final];
}

async function openFollowed({ service, chain, database }: Deployment, count: number): Promise<void> {
  const like = '%"followed"%';
  const [rows] = await database.query<RowDataPacket[]>("select count(*) as n from sale where definition like ?", [
    like,
  ]);
  for (let number = Number(rows[0]?.["n"]); number < count; number++) {
    const saleUuid = randomUUID();
    const contract = await deployAuctionSale(chain, { saleUuid: contractUuid(saleUuid) });
    await chain.send(auctionCalls.setStage(contract, 1));
    await chain.send(auctionCalls.bid(contract, BID));
    await chain.mine();
    await openChainSale(service, contract, saleUuid, "followed");
  }
}

/** Copies the templates until there are that many sales. */
async function fillUp({ database }: Deployment, sales: number, templates: readonly string[]): Promise<void> {
  const missing = sales - (await saleUuids(database)).length;
  for (const [index, template] of templates.entries()) {
    const copies = Math.floor((missing + index) / templates.length);
    if (copies <= 0) continue;
    const seed = randomUUID();
    for (const table of ["sale", "sale_state", STATUS.table]) {
      const [columns] = await database.query<RowDataPacket[]>(`show columns from ${table}`);
      const others = columns.map(({ Field }) => Field as string).filter((name) => name !== "sale");
      await database.query(
        `insert into ${table} (sale, ${others}) select unhex(md5(concat(?, seq))), ${others} from ${table}, seq_1_to_${copies} where sale = ?`,
        [seed, bytesOf(template)],
      );
    }
  }
}

async function saleUuids(database: Connection): Promise<readonly string[]> {
  const [rows] = await database.query<RowDataPacket[]>("select lower(hex(sale)) as sale from sale");
  return rows.map(({ sale }) => sale.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"));
}

function bytesOf(saleUuid: string): Buffer {
  return Buffer.from(saleUuid.replaceAll("-", ""), "hex");
}

/** Reads every sale once, so that the gateway keeps it fresh. A followed one may not have been read from its chain yet. */
async function readAll({ gateway, database }: Deployment): Promise<void> {
  const uuids = [...(await saleUuids(database))];
  const read = async () => {
    for (let uuid = uuids.pop(); uuid !== undefined; uuid = uuids.pop()) await (await gateway.get(uuid)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: READERS }, read));
}

async function measure(deployment: Deployment, live: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const stop = new AbortController();
  const counter = { blocks: 0 };
  const working = Promise.all([
    changeSales(deployment, live, stop.signal),
    mineBlocks(deployment, counter, stop.signal),
  ]);
  await delay(SETTLE_S * 1_000);
  const begin = performance.now();
  const before = await count(deployment, counter.blocks);
  await delay(WINDOW_S * 1_000);
  const after = await count(deployment, counter.blocks);
  const seconds = (performance.now() - begin) / 1_000;
  stop.abort();
  await working;
  const each = (of: (counts: Counts) => number) => (of(after) - of(before)) / seconds;
  const calls = (method: string) => (counts: Counts) => counts.calls.get(method) ?? 0;
  const all = (counts: Counts) => [...counts.calls.values()].reduce((sum, value) => sum + value, 0);
  const blocks = Math.max(1, after.blocks - before.blocks);
  const figures = new Map<string, string>([
    ["calls/s to commitments", each(all).toFixed(1)],
    ...METHODS.map((method): [string, string] => [`${method}/s`, each(calls(method)).toFixed(1)]),
    ["SQL statements/s", each(({ statements }) => statements).toFixed(0)],
    ["chain calls/s, final sales", each(({ finalChainCalls }) => finalChainCalls).toFixed(1)],
    [
      "chain calls a block, followed sales",
      ((after.followedChainCalls - before.followedChainCalls) / blocks).toFixed(1),
    ],
    ["HTTP requests a block for them", ((after.followedChainPosts - before.followedChainPosts) / blocks).toFixed(1)],
  ]);
  for (const [index, name] of PROCESSES.entries()) {
    figures.set(`wake-ups/s, ${name}`, each(({ wakeUps }) => wakeUps[index] ?? 0).toFixed(0));
    figures.set(`MiB, ${name}`, ((await residentBytes(pids(deployment)[index] ?? 0)) / 2 ** 20).toFixed(0));
  }
  return figures;
}

function pids({ gateway, indexer, service }: Deployment): readonly number[] {
  return [gateway.process.pid, indexer.process.pid, service.process.pid];
}

async function count(deployment: Deployment, blocks: number): Promise<Counts> {
  const { service, database, finalProxy, followedProxy } = deployment;
  const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const calls = new Map<string, number>();
  for (const [, method = "", value] of metrics.matchAll(
    /^tidemark_rpc_requests_total\{.*method="(\w+)".*\} (\d+)$/gm,
  )) {
    calls.set(method, (calls.get(method) ?? 0) + Number(value));
  }
  const [rows] = await database.query<RowDataPacket[]>("show global status like 'Questions'");
  return {
    calls,
    statements: Number(rows[0]?.["Value"]),
    finalChainCalls: finalProxy.requests(),
    followedChainCalls: followedProxy.requests(),
    followedChainPosts: followedProxy.posts(),
    blocks,
    wakeUps: await Promise.all(pids(deployment).map(wakeUpsOf)),
  };
}

/** Returns how often the main thread of a process has begun to wait. Source: proc(5). */
async function wakeUpsOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]);
}

async function changeSales(
  { service, credentials }: Deployment,
  live: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  // Its token is good for minutes, and sizes may be minutes apart.
  using stack = new DisposableStack();
  const caller = stack.adopt(await ApplyCaller.of(service.url, credentials), (each) => each.close());
  const bids = new BidBook(TICKS, 1);
  for (let number = 0; !signal.aborted; number++) {
    await caller.apply(live[number % live.length] ?? "", randomUUID(), bids.bid(number));
    await delay(1_000 / CHANGES, undefined, { signal }).catch(() => undefined);
  }
}

async function mineBlocks({ chain }: Deployment, counter: { blocks: number }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await chain.mine();
    counter.blocks += 1;
    await delay(BLOCK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}
