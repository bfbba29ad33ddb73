import { Readable } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
import { ParticipantFileError } from "./participant-file-error.ts";
import { fieldOfSpreadsheet } from "./spreadsheet-field.ts";
import { MAX_LINE_BYTES, utf8Lines } from "./utf8-lines.ts";

/** The most rows of a file, without its header and empty ones. */
export const MAX_ROWS = 100_000;

/** The columns of a file. */
export interface Columns<Column extends string> {
  readonly known: readonly Column[];
  readonly required: readonly Column[];
}

/** A row with the line on which it begins; an absent column is empty. */
export interface CsvRow<Column extends string> {
  readonly line: number;
  readonly fields: Readonly<Record<Column, string>>;
}

/** Spreadsheets of many countries write semicolons, and copied cells are tabs. */
const DELIMITERS = [",", ";", "\t"];

/**
 * Reads CSV (RFC 4180) with a header, in UTF-8, without spaces around fields and the apostrophes of `spreadsheetField`. Empty
 * rows are left out.
 *
 * @throws ParticipantFileError
 */
export async function* csvRows<Column extends string>(
  chunks: AsyncIterable<Uint8Array>,
  columns: Columns<Column>,
): AsyncGenerator<CsvRow<Column>, void> {
  const texts = utf8Lines(chunks);
  const first = await texts.next();
  if (first.done) throw new ParticipantFileError(1, "the file is empty");
  const delimiter = delimiterOf(first.value);
  let rows = 0;
  for await (const row of parsedRows(withFirst(first.value, texts), delimiter, columns)) {
    if (Object.values(row.fields).every((field) => field === "")) continue;
    rows += 1;
    if (rows > MAX_ROWS) throw new ParticipantFileError(row.line, `a file may have ${MAX_ROWS} rows: split it`);
    yield row;
  }
}

async function* parsedRows<Column extends string>(
  texts: AsyncIterable<string>,
  delimiter: string,
  columns: Columns<Column>,
): AsyncGenerator<CsvRow<Column>, void> {
  const parser = parse({
    columns: (names: string[]) => checkedColumns(names, columns),
    delimiter,
    info: true,
    max_record_size: MAX_LINE_BYTES,
    record_delimiter: ["\r\n", "\n"],
    relax_column_count_less: true,
    skip_empty_lines: true,
  });
  const input = Readable.from(texts, { objectMode: false });
  input.on("error", (error) => parser.destroy(error));
  input.pipe(parser);
  let line = 2;
  try {
    for await (const each of parser) {
      const { record, info } = each as { record: Record<string, string>; info: Info };
      yield { line, fields: fieldsOf(record, columns) };
      line = info.lines + 1;
    }
  } catch (error) {
    throw error instanceof CsvError ? new ParticipantFileError(line, error.message) : error;
  } finally {
    input.destroy();
  }
}

async function* withFirst(first: string, others: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield first;
  yield* others;
}

function delimiterOf(text: string): string {
  const [header = ""] = text.split("\n", 1);
  return DELIMITERS.find((delimiter) => header.includes(delimiter)) ?? ",";
}

/** @throws ParticipantFileError for missing, unknown or repeated columns */
function checkedColumns<Column extends string>(given: string[], { known, required }: Columns<Column>): string[] {
  const names = given.map((name) => name.trim().toLowerCase());
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new ParticipantFileError(1, `the header lacks ${missing.join(", ")}`);
  const wrong = names.find((name, index) => !known.some((each) => each === name) || names.indexOf(name) !== index);
  if (wrong === undefined) return names;
  throw new ParticipantFileError(1, `the column ${JSON.stringify(wrong.slice(0, 40))} is unknown or repeated`);
}

function fieldsOf<Column extends string>(
  record: Readonly<Record<string, string>>,
  { known }: Columns<Column>,
): Record<Column, string> {
  const fields = known.map((column) => [column, fieldOfSpreadsheet((record[column] ?? "").trim())]);
  return Object.fromEntries(fields) as Record<Column, string>;
}
