import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { EXPORT_TIMEOUT_MS } from "../../shared/csv/commitment-export.ts";
import { MEMBER_CSV_HEADER, type MemberFileContext, memberCsv } from "../../shared/member-csv/member-csv.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command } from "../base/command.ts";
import { amountDecimals, readTakingPart } from "../base/taking-part.ts";
import { RowProgress } from "../output/row-progress.ts";
import { writeWholeFile } from "../output/write-whole-file.ts";

export const memberExport: Command = {
  name: "member export",
  positionals: ["SALE-UUID"],
  summary: "export the members of a sale's groups as CSV, which `member import` reads back",
  details: `The export is a snapshot: changes meanwhile don't appear in it. It holds e-mail addresses, so keep it as safe as they deserve.
If the command fails, its output is incomplete. On a terminal, a line shows the progress.`,
  options: {
    output: {
      type: "string",
      value: "FILE",
      help: "write to this file, which appears only once it is complete; the default is standard output",
    },
  },
  async run(input, context) {
    const [saleUuid = ""] = input.positionals;
    const { definition, rules } = await readTakingPart(context, saleUuid);
    const chunks = csvChunks(saleUuid, { groups: rules.groups, decimals: amountDecimals(definition) }, context);
    const file = input.text("output");
    if (file !== undefined) return writeWholeFile(file, chunks, context.signal);
    await pipeline(Readable.from(chunks), context.output, { end: false, signal: context.signal });
  },
};

/** @throws what the call throws; Error if it ends before the last member */
async function* csvChunks(
  saleUuid: string,
  file: MemberFileContext,
  { eligibility, errors, signal }: CliContext,
): AsyncGenerator<string> {
  const calling = eligibility.exportMembers({ saleUuid }, { signal, timeoutMs: EXPORT_TIMEOUT_MS });
  const parts = calling[Symbol.asyncIterator]();
  const first = await parts.next();
  const total = first.done === true ? 0n : first.value.total;
  const progress = new RowProgress("export", total, errors);
  let rows = 0n;
  try {
    // Comes after the first answer, so that a refused call writes nothing.
    yield MEMBER_CSV_HEADER;
    for (let part = first; part.done !== true; part = await parts.next()) {
      yield memberCsv(part.value.members, file);
      rows += BigInt(part.value.members.length);
      await progress.show(rows);
    }
  } finally {
    await parts.return?.();
    await progress.end();
  }
  if (rows !== total) throw new Error(`the export ended after ${rows} of ${total} members`);
}
