import { commitmentDigest } from "../../../shared/commitment-record/commitment-digest.ts";
import type { SourceCommitment } from "../../source/source-commitment.ts";
import type { StoredSale } from "../../source/source-reader.ts";
import type { ContractLogs } from "../contract/contract-logs.ts";
import type { SaleFacts } from "../contract/sale-facts.ts";
import { LateLogs, SweepRequired } from "../contract/sweep-required.ts";
import { addAmounts } from "./add-amounts.ts";
import { mergeRanges } from "./merge-ranges.ts";
import type { RowReader } from "./row-reader.ts";
import { paddedId } from "./sweep.ts";
import type { TotalsCheck } from "./totals-check.ts";

/** Most rows of a partial read, which holds all of them in memory. If more changed, the whole contract is read. */
const MAX_ROWS = 2000;
const MAX_RECORDS_PER_CALL = 500;

/** Number of rows and their sums, at the store's position. */
export interface RowSummary {
  readonly count: bigint;
  readonly sums: ReadonlyMap<string, bigint>;
}

export interface PartialOptions {
  readonly rows: RowReader;
  readonly stored: StoredSale;
  readonly known: RowSummary;
  readonly logs: ContractLogs;
  readonly facts: SaleFacts;
  readonly totals: TotalsCheck;
  readonly signal: AbortSignal;
}

export interface PartialRead {
  readonly upserts: readonly SourceCommitment[];
  readonly rowsRead: number;
  readonly sums: ReadonlyMap<string, bigint>;
}

/**
 * Reads the rows that the logs name, and the new ones.
 *
 * @throws SweepRequired if logs, store and contract don't match; SourceFault.
 */
export async function readPartial(options: PartialOptions): Promise<PartialRead> {
  const { rows, known, logs, facts, signal } = options;
  checkSize(options);
  const before = await recordsBefore(options);
  const ranges = mergeRanges(
    [...before.values()].map(({ sourceIndex }) => sourceIndex),
    known.count,
    facts.count,
  );
  const read = (await Promise.all(ranges.map((range) => rows.rows(range, signal)))).flat();
  checkRows(read, before, logs, known);
  const sums = sumsAfter(known.sums, before, read);
  if (facts.totals === undefined || !options.totals.isExpected(sums, facts.totals)) {
    throw new LateLogs("the contract's total doesn't match its logs");
  }
  return { upserts: read.filter((row) => isChanged(row, before.get(row.commitmentId))), rowsRead: read.length, sums };
}

function checkSize({ known, logs, facts }: PartialOptions): void {
  if (logs.hasUnknown) throw new SweepRequired("the contract has a log of unknown meaning");
  if (facts.count < known.count) throw new SweepRequired("the contract has fewer commitments than before");
  const rows = BigInt(logs.entities.size) + facts.count - known.count;
  if (rows > MAX_ROWS) throw new SweepRequired("too many commitments changed at once");
}

/** The stored records of the named entities, by commitment ID. */
async function recordsBefore({ stored, logs, known }: PartialOptions): Promise<ReadonlyMap<string, SourceCommitment>> {
  const ids = [...logs.entities].map(paddedId);
  const records = new Map<string, SourceCommitment>();
  for (let from = 0; from < ids.length; from += MAX_RECORDS_PER_CALL) {
    const page = await stored.records(ids.slice(from, from + MAX_RECORDS_PER_CALL));
    for (const record of page) {
      if (record.sourceIndex >= known.count)
        throw new SweepRequired("a commitment is stored beyond the contract's rows");
      records.set(record.commitmentId, record);
    }
  }
  return records;
}

/** Checks that the logs name every row, that it is either at its old index or new, and that no named row is missing. */
function checkRows(
  read: readonly SourceCommitment[],
  before: ReadonlyMap<string, SourceCommitment>,
  { entities }: ContractLogs,
  known: RowSummary,
): void {
  const seen = new Set<string>();
  for (const { commitmentId, entityId, sourceIndex } of read) {
    const isNamed = entities.has(entityId) && commitmentId === paddedId(entityId);
    const wasAt = before.get(commitmentId)?.sourceIndex;
    const isInPlace = wasAt === undefined ? sourceIndex >= known.count : sourceIndex === wasAt;
    if (!isNamed || !isInPlace || seen.has(commitmentId)) throw new SweepRequired("a row doesn't match the logs");
    seen.add(commitmentId);
  }
  if (seen.size < entities.size) throw new SweepRequired("a commitment that the logs name isn't among the rows");
}

function sumsAfter(
  sums: ReadonlyMap<string, bigint>,
  before: ReadonlyMap<string, SourceCommitment>,
  read: readonly SourceCommitment[],
): ReadonlyMap<string, bigint> {
  const after = new Map(sums);
  for (const record of before.values()) addAmounts(after, record, -1n);
  for (const row of read) addAmounts(after, row);
  return after;
}

function isChanged(row: SourceCommitment, before: SourceCommitment | undefined): boolean {
  return before === undefined || commitmentDigest(before) !== commitmentDigest(row);
}
