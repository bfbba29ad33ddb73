import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { generateCallerKey } from "../../services/shared/rpc/callers.ts";
import { startProcess } from "../support/child-process.ts";
import { startCommitmentsProcess } from "../support/commitments-process.ts";
import { startMariaDb } from "../support/mariadb.ts";
import { peakBytes, TELL_PEAK, toldPeakBytes } from "../support/peak-memory.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openAuction } from "./apply.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { BidBook } from "./support/bid-book.ts";

const COMMITMENTS = 1_000_000;
const TICKS = 100_000;
const BATCH = 5_000;
const LINE_FEED = 10;
const MIB = 2 ** 20;
/** Beyond what it had at most while a million rows were applied to it. */
const MOST_SERVICE_GROWTH = 64 * MIB;
/** What the command needs for a sale without commitments comes first. */
const MOST_COMMAND_GROWTH = 128 * MIB;

/** A million commitments as CSV by the operator's command: its memory and the service's, and how long it takes. */
export async function exportBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "4G" });
  stack.defer(() => mariaDb.stop());
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const key = generateCallerKey();
  const service = await startCommitmentsProcess({ MYSQL_URL: await mariaDb.createDatabase("export") }, { key });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const file = join(folder.path, "export.csv");

  async function exported(saleUuid: string) {
    const env = { COMMITMENTS_URL: service.url, CALLER_KEY: key.text, NODE_OPTIONS: TELL_PEAK };
    const begin = performance.now();
    const args = ["services/cli/main.ts", "sale", "export", saleUuid, "--output", file];
    const command = await startProcess({ command: process.execPath, args, env });
    const { code } = await command.exited;
    if (code !== 0) throw new Error(`the export ended with ${code}: ${command.output()}`);
    return { seconds: (performance.now() - begin) / 1_000, peak: toldPeakBytes(command.output()) };
  }

  const small = await exported(await openAuction(service));
  const saleUuid = await openAuction(service);
  const book = new BidBook(TICKS, COMMITMENTS);
  for (let from = 0; from < COMMITMENTS; from += BATCH) {
    const upserts = book.bids(from, Math.min(BATCH, COMMITMENTS - from));
    await service.commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts });
  }
  const before = await peakBytes(service.process.pid);
  const large = await exported(saleUuid);
  const growth = (await peakBytes(service.process.pid)) - before;
  const rows = (await lines(file)) - 1;
  const misses: string[] = [];
  if (rows !== COMMITMENTS) misses.push(`${rows} rows instead of ${COMMITMENTS}`);
  if (growth > MOST_SERVICE_GROWTH) misses.push(`the service's peak rose by ${mib(growth)} MiB`);
  if (large.peak - small.peak > MOST_COMMAND_GROWTH)
    misses.push(`the command took ${mib(large.peak - small.peak)} MiB`);
  return {
    title: "A million commitments as CSV by the operator's command (durable MariaDB)",
    columns: ["rows", "MiB of CSV", "s", "rows/s", "service's peak +MiB", "command's peak +MiB"],
    rows: [
      [
        String(rows),
        mib((await stat(file)).size),
        large.seconds.toFixed(1),
        (rows / large.seconds).toFixed(0),
        mib(growth),
        mib(large.peak - small.peak),
      ],
    ],
    notes: [
      `service's peak before ${mib(before)} MiB; the command's for a sale without commitments ${mib(small.peak)} MiB`,
    ],
    misses,
  };
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}

async function lines(file: string): Promise<number> {
  let count = 0;
  for await (const chunk of createReadStream(file)) {
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) count++;
  }
  return count;
}
