import { Readable } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
import { ImportError } from "./import-error.ts";

export interface CsvOptions {
  /** Checks the names of the columns, and returns them. @throws ImportError */
  readonly columns: (names: string[]) => string[];
  /** Characters of a record, at most. */
  readonly max_record_size: number;
  /** Characters that separate fields; a comma by default. */
  readonly delimiter?: string[];
}

/** A record of a file, with the line on which it begins, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly record: Readonly<Record<string, string>>;
}

/**
 * Reads the records of a CSV file (RFC 4180) whose first line names the columns. Empty lines are left out.
 *
 * @throws ImportError for a file that can't be read any further
 */
export async function* csvRecords(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvOptions,
): AsyncGenerator<CsvRecord, void> {
  const parser = parse({ ...options, bom: true, info: true, skip_empty_lines: true });
  const input = Readable.from(chunks, { objectMode: false });
  input.on("error", (error) => parser.destroy(error));
  input.pipe(parser);
  let line = 2;
  try {
    for await (const each of parser) {
      const { record, info } = each as { record: Record<string, string>; info: Info };
      yield { line, record };
      line = info.lines + 1;
    }
  } catch (error) {
    throw error instanceof CsvError ? new ImportError(line, error.message) : error;
  } finally {
    input.destroy();
  }
}
