import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { contractUuid, openChainSale, untilReadTo } from "../../support/chains/chain-sale.ts";
import { auctionCalls, type BidInput, deployAuctionSale, TOKENS } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { startProcess } from "../../support/processes/child-process.ts";
import { openAuction } from "../apply.ts";
import { type BenchTable, median } from "../support/bench-table.ts";
import { amount } from "../support/quick.ts";
import { type Counts, countAll, type Usage } from "./idle-counts.ts";
import { type IdleDeployment, startIdleDeployment } from "./idle-deployment.ts";

/** Open auctions with a contract, and as many without one. */
const SALES_EACH = amount(3, 1);
const BID: BidInput = {
  entity: `0x${"0b".repeat(16)}`,
  price: 1_000n,
  lockup: false,
  added: [{ wallet: `0x${"d0".repeat(20)}`, token: TOKENS[0], amount: 1_000n }],
  extraData: "0x",
};
const BLOCK_INTERVAL_MS = 2_000;
/** Time in which the processes run what is compiled lazily, and gateways forget who has read a sale. */
const SETTLE_MS = amount(30_000, 1_000);
const WINDOWS = amount(5, 1);
const WINDOW_MS = amount(15_000, 2_000);
const LISTENING = 'require("node:http").createServer().listen(0, "127.0.0.1", () => console.log("listens"))';
/** Components that aren't ours. */
const OTHERS: readonly string[] = ["database", "bus", "bare"];
/** In percent of a core, for all processes of ours together. It is 3.8 on two quiet cores, and 4.9 on busy ones. */
const MOST_CPU = 5;
/** A second, of the main thread of a process of ours, on average. */
const MOST_WAKE_UPS = 5;
const MOST_STATEMENTS = 30;

/** One chain of which the sales are quiet. */
interface Case {
  readonly name: string;
  readonly mines: boolean;
}

const CASES: readonly Case[] = [
  { name: `a block every ${BLOCK_INTERVAL_MS / 1_000} s`, mines: true },
  { name: "no blocks", mines: false },
];

/**
 * Measures what a distributed deployment costs while nothing happens in its sales and nobody reads them: CPU, wake-ups, statements and
 * messages. Beside it run as many bare processes of Node that listen and do nothing. About four minutes.
 */
export async function idleBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const deployment = await startIdleDeployment(stack);
  const chain = await TestChain.connect(deployment.anvil);
  await openQuietSales(deployment, chain);
  const processes = [...deployment.components.values()].flat().length;
  const bare = await startBare(stack, processes);
  await whileMining(chain, () => delay(SETTLE_MS));
  const results = new Map<Case, readonly Rates[]>();
  for (const each of CASES) {
    const measured = () => measureWindows(deployment, bare);
    results.set(each, await (each.mines ? whileMining(chain, measured) : measured()));
  }
  return tableOf(processes, results);
}

async function openQuietSales({ service }: IdleDeployment, chain: TestChain): Promise<void> {
  for (let number = 0; number < SALES_EACH; number++) {
    await openAuction(service);
    const saleUuid = randomUUID();
    const contract = await deployAuctionSale(chain, { saleUuid: contractUuid(saleUuid) });
    await chain.send(auctionCalls.setStage(contract, 1));
    await chain.send(auctionCalls.bid(contract, BID));
    await chain.mine();
    await openChainSale(service, contract, saleUuid);
    await untilReadTo(service, saleUuid, 1n);
  }
}

async function startBare(stack: AsyncDisposableStack, count: number): Promise<readonly number[]> {
  const pids: number[] = [];
  while (pids.length < count) {
    const bare = await startProcess({ command: process.execPath, args: ["-e", LISTENING], ready: /^listens$/ });
    stack.defer(async () => void (await bare.kill()));
    pids.push(bare.pid);
  }
  return pids;
}

async function whileMining<Result>(chain: TestChain, work: () => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  const mine = async () => {
    while (!stop.signal.aborted) {
      await chain.mine();
      await delay(BLOCK_INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const mining = mine();
  const result = await work();
  stop.abort();
  await mining;
  return result;
}

/** Use in a window, a second. */
interface Rates extends Omit<Counts, "atMs"> {}

async function measureWindows(deployment: IdleDeployment, bare: readonly number[]): Promise<readonly Rates[]> {
  const windows: Rates[] = [];
  let before = await countAll(deployment, bare);
  while (windows.length < WINDOWS) {
    await delay(WINDOW_MS);
    const after = await countAll(deployment, bare);
    windows.push(ratesOf(before, after));
    before = after;
  }
  return windows;
}

function ratesOf(before: Counts, after: Counts): Rates {
  const seconds = (after.atMs - before.atMs) / 1_000;
  const rate = (of: (counts: Counts) => number) => (of(after) - of(before)) / seconds;
  const usageRate = (name: string, of: keyof Usage) => rate(({ usage }) => usage.get(name)?.[of] ?? 0);
  const usage = [...after.usage.keys()].map((name): [string, Usage] => [
    name,
    {
      cpuMicros: usageRate(name, "cpuMicros"),
      wakeUps: usageRate(name, "wakeUps"),
      switches: usageRate(name, "switches"),
    },
  ]);
  return {
    usage: new Map(usage),
    statements: rate(({ statements }) => statements),
    messages: rate(({ messages }) => messages),
    chainPosts: rate(({ chainPosts }) => chainPosts),
  };
}

/** CPU in percent of a core. */
function cpuPercent({ usage }: Rates, names: readonly string[]): number {
  return sumOf(usage, names, "cpuMicros") / 10_000;
}

function sumOf(usage: Rates["usage"], names: readonly string[], of: keyof Usage): number {
  return names.reduce((sum, name) => sum + (usage.get(name)?.[of] ?? 0), 0);
}

function tableOf(processes: number, results: ReadonlyMap<Case, readonly Rates[]>): BenchTable {
  const all = [...results.values()];
  const names = [...(all[0]?.[0]?.usage.keys() ?? [])];
  const ours = names.filter((name) => !OTHERS.includes(name));
  const row = (title: string, figure: (rates: Rates) => number, digits: number) => [
    title,
    ...all.map((windows) => describeWindows(windows.map(figure), digits)),
  ];
  const worst = (figure: (rates: Rates) => number) => Math.max(...all.map((windows) => median(windows.map(figure))));
  return {
    title: `${processes} processes of a deployment in which nothing happens: ${SALES_EACH} open auctions with a contract, ${SALES_EACH} without`,
    columns: ["", ...[...results.keys()].map(({ name }) => name)],
    rows: [
      row("CPU, % of a core", (rates) => cpuPercent(rates, ours), 2),
      ...names.map((name) => row(`  ${name}`, (rates) => cpuPercent(rates, [name]), 2)),
      row("wake-ups/s", ({ usage }) => sumOf(usage, ours, "wakeUps"), 0),
      ...names.map((name) => row(`  ${name}`, ({ usage }) => sumOf(usage, [name], "wakeUps"), 1)),
      row("voluntary context switches/s", ({ usage }) => sumOf(usage, ours, "switches"), 0),
      row("SQL statements/s", ({ statements }) => statements, 1),
      row("NATS messages/s, in and out", ({ messages }) => messages, 1),
      row("HTTP requests/s for the chain", ({ chainPosts }) => chainPosts, 1),
    ],
    notes: [
      `Median of ${WINDOWS} windows of ${WINDOW_MS / 1_000} s (lowest to highest). Wake-ups: voluntary context switches of main threads. Bare: ${processes} processes of Node that listen. The sums are without it, database and bus.`,
      `Required at most: ${MOST_CPU} % of a core, ${MOST_WAKE_UPS} wake-ups/s of a process, ${MOST_STATEMENTS} statements/s.`,
    ],
    required: [
      { name: "CPU, % of a core", value: worst((rates) => cpuPercent(rates, ours)), atMost: MOST_CPU },
      {
        name: "wake-ups/s of a process",
        value: worst(({ usage }) => sumOf(usage, ours, "wakeUps")) / processes,
        atMost: MOST_WAKE_UPS,
      },
      { name: "SQL statements/s", value: worst(({ statements }) => statements), atMost: MOST_STATEMENTS },
    ],
  };
}

function describeWindows(values: readonly number[], digits: number): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}
