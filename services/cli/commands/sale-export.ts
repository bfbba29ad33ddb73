import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { beginExport, EXPORT_TIMEOUT_MS } from "../../shared/csv/commitment-export.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command } from "../base/command.ts";
import { RowProgress } from "../output/row-progress.ts";
import { writeWholeFile } from "../output/write-whole-file.ts";

export const saleExport: Command = {
  name: "sale export",
  positionals: ["UUID"],
  summary: "export all commitments of a sale, including those that don't count",
  details: `One line for each wallet and token of a commitment, or one for a commitment without amounts. Amounts are in the token's
smallest units. The export is a snapshot: changes of the sale meanwhile don't appear in it. If the command fails, its
output is incomplete. On a terminal, a line shows the progress.`,
  options: {
    csv: { type: "boolean", help: "as CSV (RFC 4180), the only format and the default" },
    output: {
      type: "string",
      value: "FILE",
      help: "write to this file, which appears only once it is complete; the default is standard output",
    },
  },
  async run(input, context) {
    const [saleUuid = ""] = input.positionals;
    const file = input.text("output");
    const chunks = csvChunks(saleUuid, context);
    if (file !== undefined) return writeWholeFile(file, chunks, context.signal);
    await pipeline(Readable.from(chunks), context.output, { end: false, signal: context.signal });
  },
};

/** The header comes with the first commitments, so that a refused call writes nothing. */
async function* csvChunks(saleUuid: string, context: CliContext): AsyncGenerator<string> {
  const { commitments, signal } = context;
  const calling = commitments.exportCommitments({ saleUuid }, { signal, timeoutMs: EXPORT_TIMEOUT_MS });
  const { count, csv } = await beginExport(calling);
  const progress = new RowProgress("export", count, context.errors);
  try {
    yield* csv((rows) => progress.show(rows));
  } finally {
    await progress.end();
  }
}
