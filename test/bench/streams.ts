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

const STREAM_COUNTS = amount([1_000, 10_000], [20, 40]);
const EVENTS = amount(6, 1);
const EVENT_INTERVAL_MS = 1_000;
/** The most memory for each of the most streams, in KiB. */
const MOST_KIB = 12;
/** The most CPU of the gateway for a change with the most streams, in ms: with a change a second, half a core is left for reads. */
const MOST_CPU_MS = 500;

/**
 * Opens streams of a 100-commitment sale at a real gateway process and changes the sale once a second. Measures the memory per
 * stream, the gateway's CPU time for an event, and the time between the first and the last client that has it. About 25 seconds.
 *
 * @throws Error if a process can't be started
 */
export async function streamsBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const sale = new ChangingSale();
  const upstream = await startSampleCommitmentsServer(sale);
  stack.defer(() => upstream.close(AbortSignal.abort()));
  const gateway = await startGateway(stack, upstream.url);
  const readers = new StreamReaders();
  stack.defer(() => readers.close());
  const changeOnce = async () => {
    const spread = readers.spread(sale.revision + 1n);
    sale.change();
    return await spread;
  };
  let before = { size: 0, memory: await residentBytes(gateway.process.pid) };
  const rows: string[][] = [];
  const required: RequiredFigure[] = [];
  for (const size of STREAM_COUNTS) {
    await readers.open(gateway.streamUrl, size - readers.size, sale.revision);
    const cpuBefore = await cpuMicros(gateway.process.pid);
    const bytesBefore = readers.receivedBytes;
    const spreads = await repeatedly(changeOnce, EVENTS);
    const bytes = (readers.receivedBytes - bytesBefore) / size / EVENTS;
    const cpuMillis = ((await cpuMicros(gateway.process.pid)) - cpuBefore) / 1000 / EVENTS;
    const memory = await residentBytes(gateway.process.pid);
    const perReader = (memory - before.memory) / (size - before.size);
    before = { size, memory };
    rows.push([
      String(size),
      (perReader / 1024).toFixed(1),
      median(spreads).toFixed(0),
      Math.max(...spreads).toFixed(0),
      cpuMillis.toFixed(0),
      bytes.toFixed(0),
    ]);
    if (size === Math.max(...STREAM_COUNTS))
      required.push(
        { name: `KiB for each of ${size} streams`, value: perReader / 1024, atMost: MOST_KIB },
        { name: `CPU ms of the gateway for an event with ${size} streams`, value: cpuMillis, atMost: MOST_CPU_MS },
      );
  }
  const reopened = await readers.reopen(gateway.streamUrl, sale.revision);
  return {
    title: "Streams of one sale at one gateway, a difference a second",
    columns: ["streams", "KiB each", "first to last, median ms", "max ms", "CPU ms an event", "bytes an event"],
    rows,
    notes: [
      `${EVENTS} differences each. KiB: growth of the gateway's resident memory since the row above, by the streams since then; the first row has the heap's own growth, too. CPU: the gateway's. Bytes: to each reader. Readers and servers share the machine.`,
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
  const path = `/svc/v1/public/sales/${SAMPLE_SALE}/commitment-data/stream`;
  return { process, streamUrl: new URL(path, `http://127.0.0.1:${port}`) };
}

async function repeatedly(changeOnce: () => Promise<number>, times: number): Promise<number[]> {
  const spreads: number[] = [];
  for (let event = 0; event < times; event++) {
    const [spread] = await Promise.all([changeOnce(), delay(EVENT_INTERVAL_MS)]);
    spreads.push(spread);
  }
  return spreads;
}
