import { setTimeout as delay } from "node:timers/promises";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { startGatewayProcess } from "../support/processes/gateway-process.ts";
import { type BenchTable, median, type RequiredFigure } from "./support/bench-table.ts";
import { ChangingSale } from "./support/changing-sale.ts";
import { cpuMicros, residentBytes } from "./support/process-usage.ts";
import { amount } from "./support/quick.ts";
import { startSampleCommitmentsServer } from "./support/sample-commitments-server.ts";
import { SAMPLE_SALE } from "./support/sample-sale.ts";
import { StreamReaders } from "./support/stream-readers.ts";
import { runWrk } from "./support/wrk.ts";

const STREAM_COUNTS = amount([1_000, 10_000], [20, 40]);
const EVENTS = amount(6, 1);
const EVENT_INTERVAL_MS = 1_000;
const READ_ROUNDS = amount(5, 1);
const CHANGES_A_ROUND = amount(2, 1);
const WRK_CONNECTIONS = 32;
const LEAST_THROUGHPUT = 0.7;
/** The most memory for each of the most streams, in KiB. */
const MOST_KIB = 12;

/**
 * Opens streams of a 100-commitment sale at a real gateway process and changes the sale once a second. Measures the memory per
 * stream, the time between the first and the last client that has an event, and the public read at the same time, in turns with
 * that of a second gateway without streams. About 75 seconds.
 *
 * @throws Error if a process can't be started or a read fails
 */
export async function streamsBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const sale = new ChangingSale();
  const upstream = await startSampleCommitmentsServer(sale);
  stack.defer(() => upstream.close(AbortSignal.abort()));
  const [gateway, quiet] = [await startGateway(stack, upstream.url), await startGateway(stack, upstream.url)];
  const readers = new StreamReaders();
  stack.defer(() => readers.close());
  const changeOnce = async () => {
    const spread = readers.spread(sale.revision + 1n);
    sale.change();
    return await spread;
  };
  for (const { readUrl } of [gateway, quiet]) await readsPerSecond(readUrl);
  const before = await residentBytes(gateway.process.pid);
  const rows: string[][] = [];
  const required: RequiredFigure[] = [];
  for (const size of STREAM_COUNTS) {
    await readers.open(gateway.streamUrl, size - readers.size, sale.revision);
    const cpuBefore = await cpuMicros(gateway.process.pid);
    const bytesBefore = readers.receivedBytes;
    const spreads = await repeatedly(changeOnce, EVENTS);
    const bytes = (readers.receivedBytes - bytesBefore) / size / EVENTS;
    const cpuMillis = ((await cpuMicros(gateway.process.pid)) - cpuBefore) / 1000 / EVENTS;
    const perReader = ((await residentBytes(gateway.process.pid)) - before) / size;
    const ratio = await readBesideStreams(gateway.readUrl, quiet.readUrl, changeOnce);
    rows.push([
      String(size),
      (perReader / 1024).toFixed(1),
      median(spreads).toFixed(0),
      Math.max(...spreads).toFixed(0),
      cpuMillis.toFixed(0),
      bytes.toFixed(0),
      ratio.toFixed(2),
    ]);
    // With fewer streams most of it is the heap's growth by the reads.
    if (size === Math.max(...STREAM_COUNTS))
      required.push({ name: `KiB for each of ${size} streams`, value: perReader / 1024, atMost: MOST_KIB });
    required.push({ name: `public read beside ${size} streams`, value: ratio, atLeast: LEAST_THROUGHPUT });
  }
  const reopened = await readers.reopen(gateway.streamUrl, sale.revision);
  return {
    title: "Streams of one sale at one gateway, a difference a second",
    columns: [
      "streams",
      "KiB each",
      "first to last, median ms",
      "max ms",
      "CPU ms an event",
      "bytes an event",
      "public read beside",
    ],
    rows,
    notes: [
      `${EVENTS} differences each. KiB: growth of the gateway's resident memory, by streams (required ${MOST_KIB} at most, with the most streams). CPU: the gateway's, without public reads. Bytes: to each reader. Public read: throughput as a part of that of a gateway without streams (required ${LEAST_THROUGHPUT}), median of ${READ_ROUNDS} rounds of ${CHANGES_A_ROUND} s in turns; readers, load and servers share the machine.`,
      `After all ${readers.size} streams were cut at once, all had the body again in ${(reopened / 1_000).toFixed(1)} s.`,
    ],
    required,
  };
}

async function startGateway(stack: AsyncDisposableStack, commitmentsUrl: string) {
  const { process, port } = await startGatewayProcess({
    COMMITMENTS_URL: commitmentsUrl,
    CALLER_NAME: "gateway",
    CALLER_KEY: generateCallerKey().text,
    STREAM_MAX_PER_ADDRESS: String(Math.max(...STREAM_COUNTS)),
    // Besides the streams there are the connections of the readers.
    HTTP_MAX_PER_ADDRESS: String(2 * Math.max(...STREAM_COUNTS)),
  });
  stack.defer(async () => void (await process.kill()));
  const base = `http://127.0.0.1:${port}/svc/v1/public`;
  const streamUrl = new URL(`${base}/sales/${SAMPLE_SALE}/commitment-data/stream`);
  return { process, readUrl: `${base}/read-commitment-data`, streamUrl };
}

/** Returns the median of the rounds' ratios. The sale changes in the rounds of the gateway with streams only. */
async function readBesideStreams(streaming: string, quiet: string, changeOnce: () => Promise<number>): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < READ_ROUNDS; round++) {
    const alone = await readsPerSecond(quiet);
    const changing = repeatedly(changeOnce, CHANGES_A_ROUND);
    ratios.push((await readsPerSecond(streaming)) / alone);
    await changing;
  }
  return median(ratios);
}

async function readsPerSecond(url: string): Promise<number> {
  const options = { url, connections: WRK_CONNECTIONS, seconds: CHANGES_A_ROUND, script: "post-sale.lua" };
  return (await runWrk(options)).requestsPerSecond;
}

async function repeatedly(changeOnce: () => Promise<number>, times: number): Promise<number[]> {
  const spreads: number[] = [];
  for (let event = 0; event < times; event++) {
    const [spread] = await Promise.all([changeOnce(), delay(EVENT_INTERVAL_MS)]);
    spreads.push(spread);
  }
  return spreads;
}
