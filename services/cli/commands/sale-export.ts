import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { beginExport, EXPORT_TIMEOUT_MS } from "../../shared/csv/commitment-export.ts";
import type { Command } from "../base/command.ts";
import type { CliContext } from "../base/context.ts";
import { progressLine } from "../output/progress-line.ts";
import { RowRate } from "../output/row-rate.ts";
import { StatusLine } from "../output/status-line.ts";
import { writeWholeFile } from "../output/write-whole-file.ts";

const PROGRESS_INTERVAL_MS = 100;

export const saleExport: Command = {
  name: "sale export",
  positionals: ["UUID"],
  summary: "export all commitments of a sale, also those that don't count",
  details: `A line for each wallet and token of a commitment, or one for a commitment without amounts. Amounts are in the
token's smallest units. All of it is as of one moment, however much the sale changes meanwhile; a command that fails has
not written all. On a terminal a line shows how far it is.`,
  options: {
    csv: { type: "boolean", help: "as CSV (RFC 4180); the only format, so it may be left out" },
    output: { type: "string", value: "FILE", help: "into this file, once all of it is there; else to standard output" },
  },
  async run(input, context) {
    const [saleUuid = ""] = input.positionals;
    const file = input.text("output");
    const chunks = csvChunks(saleUuid, context);
    if (file !== undefined) return writeWholeFile(file, chunks, context.signal);
    await pipeline(Readable.from(chunks), context.output, { end: false, signal: context.signal });
  },
};

/** The header comes with the first commitments, so that a refused call leaves no output behind. */
async function* csvChunks(saleUuid: string, context: CliContext): AsyncGenerator<string> {
  const { commitments, signal } = context;
  const calling = commitments.exportCommitments({ saleUuid }, { signal, timeoutMs: EXPORT_TIMEOUT_MS });
  const { count, csv } = await beginExport(calling);
  const progress = progressOf(count, context);
  try {
    yield* csv(progress?.show);
  } finally {
    await progress?.end();
  }
}

/** Only for a person who looks on. */
function progressOf(rowsTotal: bigint, { errors }: CliContext) {
  if (errors.isTTY !== true) return undefined;
  const line = new StatusLine(errors);
  const rate = new RowRate();
  let shownAt = 0;
  return {
    show: async (rowsDone: bigint) => {
      const now = performance.now();
      if (now - shownAt < PROGRESS_INTERVAL_MS && rowsDone < rowsTotal) return;
      shownAt = now;
      rate.add(rowsDone, now);
      await line.show("export", progressLine({ rowsDone, rowsTotal, rowsPerSecond: rate.rowsPerSecond() }), now);
    },
    end: () => line.end(),
  };
}
