import { randomUUID } from "node:crypto";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { ImportFile, type ImportSummary } from "../../shared/commitment-import/import-file.ts";
import { type SentImport, sendImport } from "../../shared/commitment-import/send-import.ts";
import type { CliContext } from "../base/cli-context.ts";
import { Interrupted } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { requiredSale } from "../base/required-sale.ts";
import { counted } from "../output/grouped-digits.ts";
import { RowProgress } from "../output/row-progress.ts";
import { write } from "../output/write.ts";
import { checkFedByRpc, inFile, tokenSums, tokensOf } from "./import-parts.ts";

const AGAIN = "run the same command again to go on";

export const commitmentsImport: Command = {
  name: "commitments import",
  positionals: ["UUID", "FILE"],
  summary: "insert or replace commitments of a sale that isn't read from a contract",
  details: `FILE is CSV with the columns of \`sale export\`, or JSON lines (.jsonl) with the same names and a list \`amounts\`. Amounts
are in the token's smallest units. A commitment of the file replaces the one with its ID; others stay. The whole file is
checked first, and readers see all of it at once. After a failure or Ctrl+C, ${AGAIN}: within a day, nothing
is applied twice.`,
  options: {
    "dry-run": { type: "boolean", help: "check the file, print what it holds, and change nothing" },
    again: { type: "boolean", help: "import a file that was imported before, after other changes" },
  },
  async run(input, context) {
    const [saleUuid = "", path = ""] = input.positionals;
    const sale = requiredSale(await context.sales.getSale({ saleUuid }, { signal: context.signal }));
    checkFedByRpc(sale);
    const file = new ImportFile(path);
    const summary = await inFile(path, () => file.check(tokensOf(sale), context.signal));
    await write(context.output, `${summaryText(summary, sale)}\n`);
    if (input.flag("dry-run") || summary.commitments === 0n) return;
    const importId = input.flag("again") ? randomUUID() : summary.digest;
    await inFile(path, () => send(file, summary, { saleUuid: sale.uuid, importId }, context));
  },
};

async function send(
  file: ImportFile,
  { commitments: rowsTotal }: ImportSummary,
  target: { readonly saleUuid: string; readonly importId: string },
  { commitments, output, errors, signal }: CliContext,
): Promise<void> {
  const progress = new RowProgress("import", rowsTotal, errors);
  try {
    let last: SentImport | undefined;
    for await (const state of sendImport(file.commitments(), { ...target, commitments, signal })) {
      last = state;
      await progress.show(state.sent);
    }
    await progress.end();
    const { revision = 0n, wasApplied = true } = last ?? {};
    const done = wasApplied ? "the file was imported before: nothing changed (--again imports it anew)" : "imported";
    await write(output, `${done}; revision ${revision}\n`);
  } catch (error) {
    await progress.end();
    if (signal.aborted) throw new Interrupted(`interrupted: readers see all of the file or nothing; ${AGAIN}`);
    throw error;
  }
}

function summaryText({ commitments, entities, totals }: ImportSummary, sale: Sale): string {
  const counts = `${counted(commitments, "commitment")} of ${counted(entities, "entity", "entities")}`;
  return [counts, ...tokenSums(totals, sale)].join("\n");
}
