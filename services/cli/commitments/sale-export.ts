import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { exactFormat } from "../../../common/sale/csv/commitment-csv.ts";
import { beginExport, type CommitmentExport, EXPORT_TIMEOUT_MS } from "../../../common/sale/csv/commitment-export.ts";
import type { CsvFormat } from "../../../common/sale/csv/csv-format.ts";
import { peopleFormat } from "../../../common/sale/csv/people-csv.ts";
import { isTimeZone, ZoneTimes } from "../../../common/sale/csv/zone-times.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure, UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { RowProgress } from "../output/row-progress.ts";
import { writeWholeFile } from "../output/write-whole-file.ts";

export const saleExport: Command = {
  name: "sale export",
  positionals: ["UUID"],
  summary: "export all commitments of a sale, including those that don't count",
  details: `One line for each wallet and token of a commitment, or one for a commitment without amounts. Amounts are in the token's
smallest units. The export is a snapshot: changes of the sale meanwhile don't appear in it. If the command fails, its
output is incomplete. On a terminal, a line shows the progress.

With --for-people amounts and prices are in whole tokens, with symbols, and times are those of --time-zone.`,
  options: {
    csv: { type: "boolean", help: "as CSV (RFC 4180), the only format and the default" },
    "for-people": { type: "boolean", help: "for people and spreadsheets, who read no smallest units" },
    "time-zone": {
      type: "string",
      value: "ZONE",
      help: "with --for-people: show times of this zone, such as Europe/Berlin; the default is UTC",
    },
    output: {
      type: "string",
      value: "FILE",
      help: "write to this file, which appears only once it is complete; the default is standard output",
    },
  },
  async run(input, context) {
    const [saleUuid = ""] = input.positionals;
    const file = input.text("output");
    const chunks = csvChunks(saleUuid, formatOf(input), context);
    if (file !== undefined) return writeWholeFile(file, chunks, context.signal);
    await pipeline(Readable.from(chunks), context.output, { end: false, signal: context.signal });
  },
};

/** Chooses the format of an export that has started. */
type ChooseFormat = (started: CommitmentExport) => CsvFormat;

/** @throws UsageError */
function formatOf(input: CommandInput): ChooseFormat {
  const zone = input.text("time-zone");
  if (!input.flag("for-people")) {
    if (zone !== undefined) throw new UsageError("--time-zone needs --for-people: exact times are in UTC");
    return ({ definition }) => exactFormat(definition);
  }
  if (zone !== undefined && !isTimeZone(zone)) {
    throw new UsageError(`--time-zone must be the name of a time zone, such as Europe/Berlin, not ${zone}`);
  }
  return ({ definition }) => {
    if (definition === undefined) throw new CommandFailure("the commitments service is too old for --for-people");
    return peopleFormat(definition, new ZoneTimes(zone ?? "UTC"));
  };
}

/** The header comes with the first commitments, so that a refused call writes nothing. */
async function* csvChunks(saleUuid: string, chooseFormat: ChooseFormat, context: CliContext): AsyncGenerator<string> {
  const { commitments, signal } = context;
  const calling = commitments.exportCommitments({ saleUuid }, { signal, timeoutMs: EXPORT_TIMEOUT_MS });
  const started = await beginExport(calling);
  const format = chooseFormat(started);
  const progress = new RowProgress("export", started.count, context.errors);
  try {
    yield* started.csv(format, (rows) => progress.show(rows));
  } finally {
    await progress.end();
  }
}
