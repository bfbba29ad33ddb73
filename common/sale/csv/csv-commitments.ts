import {
  type AmountFields,
  COMMITMENT_FIELDS,
  type CommitmentFields,
  FIELD_DEFAULTS,
  type ImportedCommitment,
  importedCommitment,
} from "./commitment-fields.ts";
import { csvRecords } from "./csv-records.ts";
import { ImportError, type OnProblem, throwProblem } from "./import-error.ts";
import { unprotected } from "./spreadsheet-field.ts";

const REQUIRED = ["commitment_id", "entity_id", "created_at", "wallet", "token", "amount"] as const;
/** Columns of an export that follow from the others, or that an import can't set. */
const IGNORED = ["active", "accepted", "paid_back"] as const;
const KNOWN: readonly string[] = [...REQUIRED, ...Object.keys(FIELD_DEFAULTS), ...IGNORED];
/** A record has one amount and at most 64 KiB of extra data in hex. */
const MAX_RECORD_CHARACTERS = 200_000;
/** Spreadsheets of some countries write the others. No field holds any of them. */
const DELIMITERS = [",", ";", "\t"];

type Row = CommitmentFields & AmountFields;

interface Group {
  readonly line: number;
  readonly first: Row;
  readonly amounts: AmountFields[];
  /** Whether one of its lines broke a rule. */
  isWrong: boolean;
}

/**
 * Reads commitments from CSV (RFC 4180) with the columns of an export: a record for each wallet and token, those of a
 * commitment one after the other; one with empty `wallet`, `token` and `amount` for a commitment without amounts. The sign by which a
 * spreadsheet takes a field for text is dropped.
 *
 * @param onProblem called with a record that breaks a rule, which is left out; throws it by default
 * @throws ImportError for a file that can't be read any further
 */
export async function* csvCommitments(
  chunks: AsyncIterable<Uint8Array>,
  onProblem: OnProblem = throwProblem,
): AsyncGenerator<ImportedCommitment, void> {
  let group: Group | undefined;
  const options = { columns: checkedColumns, delimiter: DELIMITERS, max_record_size: MAX_RECORD_CHARACTERS };
  for await (const { line, record } of csvRecords(chunks, options)) {
    const row = { ...FIELD_DEFAULTS, ...withoutProtection(record) } as Row;
    if (group !== undefined && group.first.commitment_id === row.commitment_id) {
      addTo(group, line, row, onProblem);
      continue;
    }
    yield* commitmentsOf(group, onProblem);
    group = { line, first: row, amounts: amountsOf(row), isWrong: false };
  }
  yield* commitmentsOf(group, onProblem);
}

/** @throws ImportError for missing, unknown or repeated columns */
function checkedColumns(names: string[]): string[] {
  const missing = REQUIRED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new ImportError(1, `the header lacks ${missing.join(", ")}`);
  const wrong = names.find((name, index) => !KNOWN.includes(name) || names.indexOf(name) !== index);
  if (wrong !== undefined) throw new ImportError(1, `the column ${JSON.stringify(wrong)} is unknown or repeated`);
  return names;
}

function withoutProtection(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, field]) => [name, unprotected(field)]));
}

function addTo(group: Group, line: number, row: Row, onProblem: OnProblem): void {
  const { first, amounts } = group;
  const different = COMMITMENT_FIELDS.find((column) => row[column] !== first[column]);
  const isWrong = different !== undefined || amounts.length === 0 || row.wallet === "";
  amounts.push(row);
  if (!isWrong) return;
  group.isWrong = true;
  const reason =
    different === undefined
      ? "a commitment without amounts has one line only"
      : `${different} differs from the line before, which has the same commitment_id`;
  onProblem(new ImportError(line, reason));
}

function amountsOf({ wallet, token, amount }: Row): AmountFields[] {
  return wallet === "" && token === "" && amount === "" ? [] : [{ wallet, token, amount }];
}

/** Yields the commitment of a group, if there is one that breaks no rule. */
function* commitmentsOf(group: Group | undefined, onProblem: OnProblem): Generator<ImportedCommitment, void> {
  if (group === undefined || group.isWrong) return;
  const { line, first, amounts } = group;
  try {
    yield importedCommitment(line, first, amounts);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    onProblem(error);
  }
}
