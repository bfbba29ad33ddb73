import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "../command.ts";
import { COMMITMENT_CSV_HEADER, commitmentCsv } from "../commitment-csv.ts";
import type { CliContext } from "../context.ts";
import { writeWholeFile } from "../whole-file.ts";

/** A page of commitments of the largest size that the contract allows is below the 64 MiB of one answer. */
const PAGE_SIZE = 200;

export const saleExport: Command = {
  name: "sale export",
  positionals: ["UUID"],
  summary: "export all commitments of a sale, also those that don't count",
  details: `A line for each wallet and token of a commitment, or one for a commitment without amounts. Amounts are in the
token's smallest units. While the sale changes, a commitment may show its state from before or after a change.`,
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

/** The header comes with the first page, so that a refused call leaves no output behind. */
async function* csvChunks(saleUuid: string, context: CliContext): AsyncGenerator<string> {
  let isFirst = true;
  for await (const page of commitmentPages(saleUuid, context)) {
    if (isFirst) yield COMMITMENT_CSV_HEADER;
    isFirst = false;
    for (const commitment of page) yield* commitmentCsv(commitment);
  }
}

async function* commitmentPages(saleUuid: string, { commitments, signal }: CliContext) {
  let pageToken = "";
  do {
    const page = await commitments.listCommitments({ saleUuid, pageSize: PAGE_SIZE, pageToken }, { signal });
    yield page.commitments;
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}
