import { randomUUID } from "node:crypto";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { AllocationFile, type AllocationSummary } from "../../shared/commitment-import/allocation-file.ts";
import { sendAllocations } from "../../shared/commitment-import/send-allocations.ts";
import type { SentImport } from "../../shared/commitment-import/send-import.ts";
import type { CliContext } from "../base/cli-context.ts";
import { Interrupted } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { requiredSale } from "../base/required-sale.ts";
import { counted } from "../output/grouped-digits.ts";
import { RowProgress } from "../output/row-progress.ts";
import { write } from "../output/write.ts";
import { checkFedByRpc, inFile, tokenSums, tokensOf } from "./import-parts.ts";

const AGAIN = "run the same command again to go on";

export const allocationsImport: Command = {
  name: "allocations import",
  positionals: ["UUID", "FILE"],
  summary: "set what a settled sale accepts, of a sale that isn't read from a contract",
  details: `FILE is CSV with the columns entity_id, wallet, token and accepted, amounts in the token's smallest units, as
\`allocations export\` writes it. It replaces all allocations of the sale; its sums aren't compared with what was committed. The
whole file is checked first, its sums again by the service, and readers see all of it at once. After a failure or Ctrl+C,
${AGAIN}: within a day, nothing is applied twice.`,
  options: {
    "dry-run": { type: "boolean", help: "check the file, print what it holds, and change nothing" },
    again: { type: "boolean", help: "import a file that was imported before, after another one" },
  },
  async run(input, context) {
    const [saleUuid = "", path = ""] = input.positionals;
    const sale = requiredSale(await context.sales.getSale({ saleUuid }, { signal: context.signal }));
    checkFedByRpc(sale);
    const file = new AllocationFile(path);
    const summary = await inFile(path, () => file.check(tokensOf(sale), context.signal));
    await write(context.output, `${summaryText(summary, sale)}\n`);
    if (input.flag("dry-run")) return;
    const importId = input.flag("again") ? randomUUID() : summary.digest;
    await inFile(path, () => send(file, summary, { saleUuid: sale.uuid, importId }, context));
  },
};

async function send(
  file: AllocationFile,
  { allocations: rowsTotal, totals }: AllocationSummary,
  target: { readonly saleUuid: string; readonly importId: string },
  { commitments, output, errors, signal }: CliContext,
): Promise<void> {
  const progress = new RowProgress("import", rowsTotal, errors);
  try {
    let last: SentImport | undefined;
    for await (const state of sendAllocations(file.allocations(), { ...target, totals, commitments, signal })) {
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

function summaryText({ allocations, entities, totals }: AllocationSummary, sale: Sale): string {
  const counts = `${counted(allocations, "allocation")} of ${counted(entities, "entity", "entities")}`;
  return [counts, ...tokenSums(totals, sale)].join("\n");
}
