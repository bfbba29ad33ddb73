import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { Random } from "../../../services/demo/bidders/random.ts";
import { startMariaDb } from "../../support/databases/mariadb.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { startGatewayProcess } from "../../support/processes/gateway-process.ts";
import { startNats } from "../../support/processes/nats.ts";
import { openAuction } from "../apply.ts";
import type { BenchTable, RequiredFigure } from "../support/bench-table.ts";
import { BidBook } from "../support/bid-book.ts";
import { cpuMicros } from "../support/process-usage.ts";
import { amount } from "../support/quick.ts";
import { ApplyCaller } from "./apply-caller.ts";
import { BareUpdates } from "./bare-updates.ts";
import { SaleReader } from "./sale-reader.ts";

const SALES = amount(50, 5);
const TICKS = 10_000;
const BIDS_BEFORE = 200;
/** Updates per second, the number of measured updates, and the number of alternating rounds of service and baseline. */
const WHOLE_LOADS = [
  { rate: 10, updates: 400, rounds: 4, bounded: true },
  { rate: 100, updates: 1_500, rounds: 6, bounded: true },
  // Reported beside the baseline, without a bound: on two cores this measures the load as much as the service.
  { rate: 300, updates: 4_800, rounds: 8, bounded: false },
];
const LOADS = amount(WHOLE_LOADS, [{ rate: 20, updates: 20, rounds: 1, bounded: true }]);
/** Load before the measurement, so that the start of the services isn't measured. */
const WARM_UP = amount({ rate: 300, updates: 1_500 }, { rate: 20, updates: 10 });
/** Concurrent applies without pauses at the end, and their duration. */
const WORKERS = 32;
const FLAT_OUT_MS = amount(4_000, 300);
/** Least time between two events of a stream, by the contract of the streams. */
const EVENT_INTERVAL_MS = 250;
/** Timeout of a request, so long that an overloaded service is measured as slow and doesn't fail. */
const TIMEOUT_MS = 120_000;
const MOST_AT_P50 = 2;
const MOST_AT_P99 = 3;

/** The latency of an update, from its request to its event. */
interface Measured {
  readonly millis: number;
  /** Whether the event had to wait for the interval between events. */
  readonly held: boolean;
}

/** Starts an update and resolves when it is applied. `arrived` is in an object, because `await` would also await it otherwise. */
type Update = (index: number) => Promise<{ readonly arrived: Promise<Measured> }>;

/**
 * Measures the time from a request of `ApplyCommitments` with one bid to the event at a client of a gateway's stream, through a
 * durable MariaDB and NATS. The baseline is a commit of the same rows, then JetStream from publishing to receiving. Updates come
 * at random times, like those of many bidders, for random ones of 50 auctions. About three minutes.
 */
export async function latencyBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "1G" });
  stack.defer(() => mariaDb.stop());
  const nats = await startNats();
  stack.defer(() => nats.stop());
  const key = generateCallerKey().text;
  const operator = generateCallerKey();
  const env = { MYSQL_URL: await mariaDb.createDatabase("service"), NATS_URL: nats.url };
  const service = await startCommitmentsProcess(env, {
    key: operator,
    otherCallers: { gateway: key },
    timeoutMs: TIMEOUT_MS,
  });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const gateway = await startGatewayProcess({
    COMMITMENTS_URL: service.url,
    CALLER_NAME: "gateway",
    CALLER_KEY: key,
    NATS_URL: nats.url,
  });
  stack.defer(async () => void (await gateway.process.kill("SIGTERM")));
  const bare = await BareUpdates.open(await mariaDb.createDatabase("bare"), nats.url);
  stack.defer(() => bare.close());
  const sales = await openSales(service, gateway.port);
  stack.defer(() => {
    for (const { reader } of sales) reader.close();
  });

  const bids = new BidBook(TICKS, 2);
  const random = new Random(3);
  const saleOf = () => sales[random.integer(0, SALES - 1)] as LiveSale;
  const credentials = { name: "operator", key: operator.key, audience: COMMITMENTS_AUDIENCE };
  const caller = await ApplyCaller.of(service.url, credentials);
  stack.defer(() => caller.close());
  const updateService: Update = (index) => measureService(caller, saleOf(), bids.bid(index));
  const updateBare: Update = async (index) => {
    const begin = performance.now();
    await bare.update(saleOf().saleUuid, bids.bid(index));
    return { arrived: Promise.resolve({ millis: performance.now() - begin, held: false }) };
  };
  for (const update of [updateService, updateBare]) await atRate(update, WARM_UP.rate, WARM_UP.updates, random);

  const rows: string[][] = [];
  const required: RequiredFigure[] = [];
  const pids = [service.process.pid, gateway.process.pid];
  for (const { rate, updates, rounds, bounded } of LOADS) {
    const measured = { service: [] as Measured[], bare: [] as Measured[] };
    let cpu = 0;
    for (let round = 0; round < rounds; round++) {
      const cpuBefore = await cpuOf(pids);
      measured.service.push(...(await atRate(updateService, rate, updates / rounds, random)));
      cpu += (await cpuOf(pids)) - cpuBefore;
      measured.bare.push(...(await atRate(updateBare, rate, updates / rounds, random)));
    }
    const prompt = measured.service.filter(({ held }) => !held);
    const ratios = [0.5, 0.99].map((part) => quantile(prompt, part) / quantile(measured.bare, part));
    const [atP50 = Number.NaN, atP99 = Number.NaN] = ratios;
    rows.push([
      `${rate}/s`,
      both(measured.bare),
      both(prompt),
      ratios.map((ratio) => ratio.toFixed(2)).join(" / "),
      both(measured.service),
      `${((100 * prompt.length) / measured.service.length).toFixed(0)} %`,
      (cpu / updates / 1_000).toFixed(1),
    ]);
    if (!bounded) continue;
    required.push({ name: `p50 with ${rate}/s`, value: atP50, atMost: MOST_AT_P50 });
    required.push({ name: `p99 with ${rate}/s`, value: atP99, atMost: MOST_AT_P99 });
  }
  const flatOutBare = await flatOut(updateBare);
  const flatOutService = await flatOut(updateService);
  rows.push([
    `${flatOutService.rate.toFixed(0)}/s`,
    both(flatOutBare.measured),
    "",
    "",
    both(flatOutService.measured),
    "",
    "",
  ]);
  return {
    title: `From the request of an update to its event at a client of a gateway, ${SALES} sales, milliseconds: p50 / p99`,
    columns: ["updates", "baseline", "service", "ratio", "service, held ones too", "not held", "CPU ms each"],
    rows,
    notes: [
      "Baseline: a commit of the rows that the update writes, in one message to MariaDB, then JetStream from publishing to receiving.",
      `Held: a stream sends at most one event every ${EVENT_INTERVAL_MS} ms; an update within that time after the last event has to wait.`,
      `CPU: of service and gateway. Last row: ${WORKERS} concurrent applies without a pause; the baseline reached ${flatOutBare.rate.toFixed(0)}/s.`,
    ],
    required,
  };
}

interface LiveSale {
  readonly saleUuid: string;
  readonly reader: SaleReader;
  /** The number of updates whose event hasn't arrived. */
  waiting: number;
}

async function openSales(service: CommitmentsProcess, gatewayPort: number): Promise<LiveSale[]> {
  const book = new BidBook(TICKS, 1);
  const sales: LiveSale[] = [];
  for (let index = 0; index < SALES; index++) {
    const saleUuid = await openAuction(service);
    const upserts = book.bids(1_000_000 + index * BIDS_BEFORE, BIDS_BEFORE);
    await service.commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts });
    const path = `/svc/v1/public/sales/${saleUuid}/commitment-data/stream`;
    const reader = await SaleReader.open(new URL(path, `http://127.0.0.1:${gatewayPort}`));
    sales.push({ saleUuid, reader, waiting: 0 });
  }
  return sales;
}

async function measureService(
  caller: ApplyCaller,
  sale: LiveSale,
  bid: ReturnType<BidBook["bid"]>,
): Promise<{ readonly arrived: Promise<Measured> }> {
  const { saleUuid, reader } = sale;
  const begin = performance.now();
  const held = sale.waiting > 0 || begin - reader.lastAt < EVENT_INTERVAL_MS;
  sale.waiting++;
  const revision = await caller.apply(saleUuid, randomUUID(), bid);
  const arrive = async () => {
    const millis = (await reader.reached(revision)) - begin;
    sale.waiting--;
    return { millis, held };
  };
  return { arrived: arrive() };
}

let nextBid = 0;

/** Starts updates at random times with an average rate, whether earlier ones are done or not. */
async function atRate(update: Update, rate: number, count: number, random: Random): Promise<Measured[]> {
  const running: Promise<Measured>[] = [];
  let due = performance.now();
  for (let index = 0; index < count; index++) {
    due += (-Math.log(random.integer(1, 1_000_000) / 1_000_000) * 1_000) / rate;
    const pause = due - performance.now();
    if (pause > 0) await delay(pause);
    running.push(update(nextBid++).then(({ arrived }) => arrived));
  }
  return Promise.all(running);
}

/**
 * Keeps `WORKERS` updates in flight. A worker starts the next update when the last one is applied; the function waits for the
 * events at the end. The measured time ends with the last event.
 */
async function flatOut(update: Update): Promise<{ readonly rate: number; readonly measured: Measured[] }> {
  const begin = performance.now();
  const arriving: Promise<Measured>[] = [];
  const work = async () => {
    while (performance.now() - begin < FLAT_OUT_MS) {
      const { arrived } = await update(nextBid++);
      arriving.push(arrived);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  const measured = await Promise.all(arriving);
  return { rate: (measured.length * 1_000) / (performance.now() - begin), measured };
}

async function cpuOf(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map((pid) => cpuMicros(pid)));
  return each.reduce((sum, micros) => sum + micros, 0);
}

/** Returns a quantile of the latencies, or NaN without any. */
function quantile(measured: readonly Measured[], part: number): number {
  const sorted = measured.map(({ millis }) => millis).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function both(measured: readonly Measured[]): string {
  return [0.5, 0.99].map((part) => quantile(measured, part).toFixed(1)).join(" / ");
}
