import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { csvRecord } from "../../../common/sale/csv/csv-record.ts";
import type { Allocation } from "../../../proto/gen/tidemark/commitments/v1/allocation_pb.ts";
import { allocationPages } from "../base/allocation-pages.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command } from "../base/command.ts";
import { writeWholeFile } from "../output/write-whole-file.ts";

/** The header record. `accepted` is in the smallest units of `token`. */
const ALLOCATION_CSV_HEADER = csvRecord(["entity_id", "wallet", "token", "accepted"]);

export const allocationsExport: Command = {
  name: "allocations export",
  positionals: ["UUID"],
  summary: "export what a settled sale accepts of each entity, wallet and token, as CSV",
  details: `Amounts are in the token's smallest units; those of zero are left out. \`allocations import\` reads such a file. If the
allocations change meanwhile, the command fails: run it again. Its output is then incomplete.`,
  options: {
    output: {
      type: "string",
      value: "FILE",
      help: "write to this file, which appears only once it is complete; the default is standard output",
    },
  },
  async run(input, context) {
    const [saleUuid = ""] = input.positionals;
    const chunks = csvChunks(saleUuid, context);
    const file = input.text("output");
    if (file !== undefined) return writeWholeFile(file, chunks, context.signal);
    await pipeline(Readable.from(chunks), context.output, { end: false, signal: context.signal });
  },
};

async function* csvChunks(saleUuid: string, context: CliContext): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { allocations } of allocationPages(saleUuid, context)) {
    if (isFirst) yield ALLOCATION_CSV_HEADER;
    isFirst = false;
    yield allocations.map(allocationCsv).join("");
  }
}

/** Returns the record of an allocation. */
function allocationCsv({ entityId, wallet, token, accepted }: Allocation): string {
  return csvRecord([`0x${hexOfBytes(entityId)}`, wallet, token, accepted]);
}
