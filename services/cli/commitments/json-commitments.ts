import {
  type AmountFields,
  COMMITMENT_FIELDS,
  FIELD_DEFAULTS,
  type ImportedCommitment,
  importedCommitment,
} from "../../../common/sale/csv/commitment-fields.ts";
import { ImportError } from "../../../common/sale/csv/import-error.ts";

const AMOUNT_FIELDS = ["wallet", "token", "amount"] as const;
/** 1,024 amounts and 64 KiB of extra data in hex fit. */
const MAX_LINE_CHARACTERS = 1_000_000;

/**
 * Reads commitments from JSON lines: an object a line, with the fields of the CSV's columns, and `amounts`, a list of objects
 * with `wallet`, `token` and `amount`.
 *
 * @throws ImportError
 */
export async function* jsonCommitments(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ImportedCommitment, void> {
  let number = 0;
  for await (const text of linesOf(chunks)) {
    number++;
    if (text.trim() !== "") yield commitmentOf(number, text);
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  let lines = 0;
  for await (const chunk of chunks) {
    const parts = (rest + decodeOn(decoder, chunk, lines + 1)).split("\n");
    rest = parts.pop() ?? "";
    lines += parts.length;
    if (rest.length > MAX_LINE_CHARACTERS) throw new ImportError(lines + 1, "the line is too long");
    yield* parts;
  }
  yield rest;
}

function decodeOn(decoder: TextDecoder, chunk: Uint8Array, line: number): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw new ImportError(line, "the file isn't UTF-8, here or after");
  }
}

function commitmentOf(line: number, text: string): ImportedCommitment {
  const { amounts, ...own } = objectOf(line, parsed(line, text), [...COMMITMENT_FIELDS, "amounts"]);
  const fields = { ...FIELD_DEFAULTS, ...textsOf(line, own) };
  const list = Array.isArray(amounts) ? amounts : fail(line, "amounts must be a list");
  const texts = list.map((each) => textsOf(line, objectOf(line, each, AMOUNT_FIELDS)));
  return importedCommitment(
    line,
    complete(line, fields, COMMITMENT_FIELDS),
    texts.map((each): AmountFields => complete(line, each, AMOUNT_FIELDS)),
  );
}

function parsed(line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail(line, "it is no JSON");
  }
}

function objectOf(line: number, value: unknown, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail(line, "expected a JSON object");
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  return unknown === undefined ? { ...value } : fail(line, `the field ${JSON.stringify(unknown)} is unknown`);
}

/** Numbers that `JSON.parse` may have rounded are refused. */
function textsOf(line: number, fields: Record<string, unknown>): Record<string, string> {
  const texts = Object.entries(fields).map(([name, value]) => {
    const isText = typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value);
    return isText ? [name, String(value)] : fail(line, `${name} must be text; whole numbers above 2^53 too`);
  });
  return Object.fromEntries(texts);
}

function complete<Name extends string>(
  line: number,
  texts: Readonly<Record<string, string>>,
  names: readonly Name[],
): Record<Name, string> {
  const pairs = names.map((name) => [name, texts[name] ?? fail(line, `${name} is missing`)] as const);
  return Object.fromEntries(pairs) as Record<Name, string>;
}

function fail(line: number, reason: string): never {
  throw new ImportError(line, reason);
}
