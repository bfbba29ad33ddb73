import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { peakBytes, REPORT_PEAK_MEMORY, reportedPeakBytes } from "../support/processes/peak-memory.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { openAuction } from "./apply.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { BidBook } from "./support/bid-book.ts";
import { amount } from "./support/quick.ts";

const SMALL = amount(100_000, 1_000);
const LARGE = amount(1_000_000, 3_000);
/** Lines per bid: one for each of its two amounts. */
const LINES = 2;
const TICKS = 100_000;
const BATCH = 5_000;
const LINE_FEED = 10;
const MIB = 2 ** 20;
/** The most MiB that the peak memory of a process may grow with ten times as many rows. It is garbage not collected yet. */
const MOST_GROWTH = 96;

interface Export {
  readonly commitments: number;
  readonly lines: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly servicePeak: number;
  readonly commandPeak: number;
}

/**
 * Exports 1,000,000 commitments as CSV with the operator's command, and compares the peak memory of command and service with
 * that of an export of 100,000. About two minutes.
 */
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

  const saleUuid = await openAuction(service);
  const book = new BidBook(TICKS, LARGE);

  async function apply(from: number, to: number): Promise<void> {
    for (let first = from; first < to; first += BATCH) {
      const upserts = book.bids(first, Math.min(BATCH, to - first));
      await service.commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts });
    }
  }

  async function exported(commitments: number): Promise<Export> {
    const env = { COMMITMENTS_URL: service.url, CALLER_KEY: key.text, NODE_OPTIONS: REPORT_PEAK_MEMORY };
    const args = ["services/cli/main.ts", "sale", "export", saleUuid, "--output", file];
    const begin = performance.now();
    const command = await startProcess({ command: process.execPath, args, env });
    const { code } = await command.exited;
    const seconds = (performance.now() - begin) / 1_000;
    if (code !== 0) throw new Error(`the export ended with ${code}: ${command.output()}`);
    return {
      commitments,
      lines: (await lineCount(file)) - 1,
      bytes: (await stat(file)).size,
      seconds,
      servicePeak: await peakBytes(service.process.pid),
      commandPeak: reportedPeakBytes(command.output()),
    };
  }

  await apply(0, SMALL);
  const small = await exported(SMALL);
  await apply(SMALL, LARGE);
  const applied = await peakBytes(service.process.pid);
  const large = await exported(LARGE);
  return {
    title: "All commitments as CSV by the operator's command (durable MariaDB)",
    columns: ["commitments", "lines", "MiB of CSV", "s", "service's peak MiB", "command's peak MiB"],
    rows: [small, large].map((each) => [
      String(each.commitments),
      String(each.lines),
      mib(each.bytes),
      each.seconds.toFixed(1),
      mib(each.servicePeak),
      mib(each.commandPeak),
    ]),
    notes: [`before the larger one the service's peak was ${mib(applied)} MiB, from applying`],
    required: [
      { name: "growth of the service, MiB", value: (large.servicePeak - applied) / MIB, atMost: MOST_GROWTH },
      { name: "growth of the command, MiB", value: (large.commandPeak - small.commandPeak) / MIB, atMost: MOST_GROWTH },
    ],
    faults: [small, large]
      .filter(({ commitments, lines }) => lines !== LINES * commitments)
      .map(({ commitments, lines }) => `${lines} lines of ${commitments} commitments`),
  };
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}

async function lineCount(file: string): Promise<number> {
  let count = 0;
  for await (const chunk of createReadStream(file)) {
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) count++;
  }
  return count;
}
