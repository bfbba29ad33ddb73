import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/processes/gateway-process.ts";
import { median } from "../support/bench-table.ts";
import { ChangingSale } from "../support/changing-sale.ts";
import { cpuMicros, residentBytes } from "../support/process-usage.ts";
import { amount } from "../support/quick.ts";
import { startSampleCommitmentsServer } from "../support/sample-commitments-server.ts";
import { SAMPLE_SALE } from "../support/sample-sale.ts";
import type { GrowthFigures } from "./growth.ts";
import type { ReadersAnswer, ReadersOrder } from "./stream-reader-process.ts";

const STREAMS = amount([1_000, 10_000, 30_000], [12, 24, 48]);
const GATEWAYS = 3;
/** Streams from one address: the default of `STREAM_MAX_PER_ADDRESS` isn't part of what is measured. */
const PER_ADDRESS = 1_000;
const EVENTS = amount(8, 2);
const EVENT_INTERVAL_MS = 2_000;
const MOST_KIB = 18;
const READERS = join(import.meta.dirname, "stream-reader-process.ts");

/** A gateway, and the process of its readers. */
interface Pair {
  readonly gateway: GatewayProcess;
  readonly readers: ChildProcess;
  streams: number;
  addresses: number;
}

/** Grows the streams of one sale of 100 commitments, spread over gateways and over addresses of readers. */
export async function growthOfStreams(): Promise<GrowthFigures> {
  await using stack = new AsyncDisposableStack();
  const sale = new ChangingSale();
  const upstream = await startSampleCommitmentsServer(sale);
  stack.defer(() => upstream.close(AbortSignal.abort()));
  const pairs: Pair[] = [];
  while (pairs.length < GATEWAYS) pairs.push(await startPair(stack, upstream.url));
  const before = await residentOf(pairs);
  const rows: string[][] = [];
  let kib = Number.NaN;
  for (const size of STREAMS) {
    await Promise.all(pairs.map((pair) => openStreams(pair, Math.floor(size / GATEWAYS), sale.revision)));
    const cpuBefore = await cpuOf(pairs);
    const delays: number[] = [];
    for (let event = 0; event < EVENTS; event++) delays.push(await changeOnce(pairs, sale));
    const cpu = ((await cpuOf(pairs)) - cpuBefore) / EVENTS / size;
    kib = ((await residentOf(pairs)) - before) / size / 1024;
    rows.push([size.toLocaleString("en"), kib.toFixed(1), cpu.toFixed(0), median(delays).toFixed(0)]);
  }
  const names = [
    `streams over ${GATEWAYS} gateways`,
    "  KiB each",
    "  CPU µs a change and stream",
    "  ms until the last one has a change",
  ];
  return {
    rows: names.map((name, index) => [name, ...rows.map((cells) => cells[index] ?? "")]),
    notes: [
      `Streams: one sale of 100 commitments, ${EVENTS} changes, one each ${EVENT_INTERVAL_MS / 1_000} s, readers at ${PER_ADDRESS} streams an address of 127.0.0.0/8. KiB: growth of the gateways' resident memory. Milliseconds from the change, with readers, gateways and everything else on one machine.`,
    ],
    required: [{ name: `KiB for each of ${STREAMS.at(-1)} streams`, value: kib, atMost: MOST_KIB }],
  };
}

async function startPair(stack: AsyncDisposableStack, commitmentsUrl: string): Promise<Pair> {
  const gateway = await startGatewayProcess({
    COMMITMENTS_URL: commitmentsUrl,
    CALLER_NAME: "gateway",
    CALLER_KEY: generateCallerKey().text,
    STREAM_MAX_PER_ADDRESS: String(PER_ADDRESS),
    HTTP_MAX_PER_ADDRESS: String(PER_ADDRESS),
  });
  stack.defer(async () => void (await gateway.process.kill()));
  const readers = fork(READERS, { stdio: "inherit", execArgv: [] });
  stack.defer(() => void readers.kill());
  return { gateway, readers, streams: 0, addresses: 0 };
}

async function openStreams(pair: Pair, size: number, revision: bigint): Promise<void> {
  const url = `${pair.gateway.url}/svc/v1/public/sales/${SAMPLE_SALE}/commitment-data/stream`;
  while (pair.streams < size) {
    const count = Math.min(PER_ADDRESS, size - pair.streams);
    pair.addresses += 1;
    await order(pair.readers, { open: { url, count, from: `127.1.0.${pair.addresses}` }, revision: String(revision) });
    pair.streams += count;
  }
}

/** Changes the sale. @returns the milliseconds until the last stream of all has the change */
async function changeOnce(pairs: readonly Pair[], sale: ChangingSale): Promise<number> {
  const revision = String(sale.revision + 1n);
  await Promise.all(pairs.map(({ readers }) => order(readers, { await: revision })));
  const arrivals = pairs.map(({ readers }) => answerOf(readers));
  const changedAt = performance.timeOrigin + performance.now();
  sale.change();
  const answers = await Promise.all([...arrivals, delay(EVENT_INTERVAL_MS)]);
  const times = answers.flatMap((answer) => (typeof answer === "object" ? answer.lastMs : []));
  return Math.max(...times) - changedAt;
}

async function order(readers: ChildProcess, message: ReadersOrder): Promise<void> {
  readers.send(message);
  await answerOf(readers);
}

async function answerOf(readers: ChildProcess): Promise<ReadersAnswer> {
  const [answer] = await once(readers, "message");
  return answer;
}

async function residentOf(pairs: readonly Pair[]): Promise<number> {
  const all = await Promise.all(pairs.map(({ gateway }) => residentBytes(gateway.process.pid)));
  return all.reduce((sum, bytes) => sum + bytes, 0);
}

async function cpuOf(pairs: readonly Pair[]): Promise<number> {
  const all = await Promise.all(pairs.map(({ gateway }) => cpuMicros(gateway.process.pid)));
  return all.reduce((sum, micros) => sum + micros, 0);
}
