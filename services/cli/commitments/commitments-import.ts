import { sendImport } from "../../../common/internal-api/send-import.ts";
import type { Command } from "../base/command.ts";
import { ImportFile, type ImportSummary } from "./commitment-file.ts";
import { AGAIN, type FileImport, importFile } from "./import-rows.ts";

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
  run(input, context) {
    const { commitments, signal } = context;
    const [, path = ""] = input.positionals;
    const file = new ImportFile(path);
    const rows: FileImport<ImportSummary> = {
      ...{ path, noun: "commitment", sendsNone: false },
      check: file.check.bind(file),
      countOf: (summary) => summary.commitments,
      send: (_, target) => sendImport(file.commitments(), { ...target, commitments, signal }),
    };
    return importFile(rows, input, context);
  },
};
