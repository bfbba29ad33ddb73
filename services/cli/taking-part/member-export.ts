import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { beginMemberExport, EXPORT_TIMEOUT_MS } from "../../../common/sale/csv/export-members.ts";
import type { MemberFileContext } from "../../../common/sale/csv/member-csv.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command } from "../base/command.ts";
import { RowProgress } from "../output/row-progress.ts";
import { writeWholeFile } from "../output/write-whole-file.ts";
import { amountDecimals, readTakingPart } from "./read-taking-part.ts";

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

/** The header comes with the first members, so that a refused call writes nothing. */
async function* csvChunks(
  saleUuid: string,
  file: MemberFileContext,
  { eligibility, errors, signal }: CliContext,
): AsyncGenerator<string> {
  const calling = eligibility.exportMembers({ saleUuid }, { signal, timeoutMs: EXPORT_TIMEOUT_MS });
  const { total, csv } = await beginMemberExport(calling, file);
  const progress = new RowProgress("export", total, errors);
  try {
    yield* csv((members) => progress.show(members));
  } finally {
    await progress.end();
  }
}
