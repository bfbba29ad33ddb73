import type { Command } from "../base/command.ts";
import { AllocationFile, type AllocationSummary } from "./allocation-file.ts";
import { AGAIN, type FileImport, importFile } from "./import-rows.ts";
import { sendAllocations } from "./send-allocations.ts";

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
  run(input, context) {
    const { commitments, signal } = context;
    const [, path = ""] = input.positionals;
    const file = new AllocationFile(path);
    const rows: FileImport<AllocationSummary> = {
      ...{ path, noun: "allocation", sendsNone: true },
      check: file.check.bind(file),
      countOf: ({ allocations }) => allocations,
      send: ({ totals }, target) => sendAllocations(file.allocations(), { ...target, totals, commitments, signal }),
    };
    return importFile(rows, input, context);
  },
};
