import { Readable } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
import { ListFileError } from "./list-file-error.ts";
import { unprotected } from "./spreadsheet-field.ts";
import { MAX_LINE_BYTES, utf8Lines } from "./utf8-lines.ts";

/** A record of a file. */
export interface ListRecord {
  /** Line on which it begins, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** The most records of a file, with the names of its columns. */
export const MAX_RECORDS = 100_001;

/**
 * Reads the records of a CSV file (RFC 4180) with commas, semicolons or tabs, as spreadsheets of different countries write it. Empty
 * lines are left out. Fields are without outer spaces and without what protects a spreadsheet (`unprotected`).
 *
 * @throws ListFileError for a file that isn't UTF-8, has an endless line, quotes that don't match, or too many lines
 */
export async function* listRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ListRecord, void> {
  const texts = utf8Lines(chunks);
  const first = await texts.next();
  const start = first.value ?? "";
  const delimiter = delimiterOf(start);
  const parser = parse({
    delimiter,
    info: true,
    max_record_size: MAX_LINE_BYTES,
    relax_column_count: true,
    trim: true,
  });
  const input = Readable.from(joined(start, texts), { objectMode: false });
  input.on("error", (error) => parser.destroy(error));
  input.pipe(parser);
  let line = 1;
  let records = 0;
  try {
    for await (const each of parser) {
      const { record, info } = each as { record: string[]; info: Info };
      if (record.some((field) => field !== "")) {
        records += 1;
        if (records > MAX_RECORDS) throw new ListFileError(line, "a file may have at most 100,000 lines: split it");
        yield { line, fields: record.map(unprotected) };
      }
      line = info.lines + 1;
    }
  } catch (error) {
    throw error instanceof CsvError ? new ListFileError(lineOf(error), reasonOf(error)) : error;
  } finally {
    input.destroy();
  }
}

async function* joined(start: string, texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield start;
  yield* texts;
}

/** Returns what separates the fields, by the first line. */
function delimiterOf(start: string): string {
  const [line = ""] = start.split(/[\r\n]/, 1);
  return [",", ";", "\t"].find((delimiter) => line.includes(delimiter)) ?? ",";
}

/** Returns the line that the parser was at. */
function lineOf(error: CsvError): number | undefined {
  const { lines } = error as { readonly lines?: unknown };
  return typeof lines === "number" ? lines : undefined;
}

function reasonOf({ code }: CsvError): string {
  if (code === "CSV_MAX_RECORD_SIZE") return `a line may have at most ${MAX_LINE_BYTES} characters`;
  return "quotes must enclose a whole field, and be doubled inside it";
}
