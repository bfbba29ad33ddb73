import { commitmentDigest } from "../../../shared/commitment-record/commitment-digest.ts";
import type { SourceCommitment, StoredSale } from "../../source/source-reader.ts";
import type { ContractLogs } from "../contract/contract-logs.ts";
import type { SaleFacts } from "../contract/sale-facts.ts";
import { LateLogs, SweepRequired } from "../contract/sweep-required.ts";
import { addAmounts } from "./add-amounts.ts";
import type { IndexRange, RowReader } from "./row-reader.ts";
import { paddedId } from "./sweep.ts";
import type { TotalsCheck } from "./totals-check.ts";

/** More than this at once is read as a whole. All of them are held in memory. */
const MAX_ROWS = 2000;
const MAX_RECORDS_PER_CALL = 500;

/** What is known of a contract at the position that the store has. */
export interface Known {
  readonly count: bigint;
  readonly sums: ReadonlyMap<string, bigint>;
}

export interface PartialOptions {
  readonly rows: RowReader;
  readonly stored: StoredSale;
  readonly known: Known;
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
 * Reads the rows that the logs name, and those that are new.
 *
 * @throws SweepRequired where logs, store and contract don't fit together; SourceFault.
 */
export async function readPartial(options: PartialOptions): Promise<PartialRead> {
  const { rows, known, logs, facts, signal } = options;
  checkSize(options);
  const before = await recordsBefore(options);
  const ranges = joined(
    [...before.values()].map(({ sourceIndex }) => sourceIndex),
    known.count,
    facts.count,
  );
  const read = (await Promise.all(ranges.map((range) => rows.rows(range, signal)))).flat();
  checkRows(read, before, logs, known);
  const sums = sumsAfter(known.sums, before, read);
  if (facts.totals === undefined || !options.totals.isExpected(sums, facts.totals)) {
    throw new LateLogs("the contract's total isn't the one that its logs lead to");
  }
  return { upserts: read.filter((row) => isChanged(row, before.get(row.commitmentId))), rowsRead: read.length, sums };
}

function checkSize({ known, logs, facts }: PartialOptions): void {
  if (logs.hasUnknown) throw new SweepRequired("the contract logged what only it knows the meaning of");
  if (facts.count < known.count) throw new SweepRequired("the contract has fewer commitments than before");
  const rows = BigInt(logs.entities.size) + facts.count - known.count;
  if (rows > MAX_ROWS) throw new SweepRequired("too many commitments changed at once");
}

/** What is stored of the named entities, by commitment ID. */
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

/** Every row has to be where it was, or be new and named by the logs; and no named commitment may be missing. */
function checkRows(
  read: readonly SourceCommitment[],
  before: ReadonlyMap<string, SourceCommitment>,
  { entities }: ContractLogs,
  known: Known,
): void {
  const met = new Set<string>();
  for (const { commitmentId, entityId, sourceIndex } of read) {
    const isNamed = entities.has(entityId) && commitmentId === paddedId(entityId);
    const wasAt = before.get(commitmentId)?.sourceIndex;
    const isInPlace = wasAt === undefined ? sourceIndex >= known.count : sourceIndex === wasAt;
    if (!isNamed || !isInPlace || met.has(commitmentId)) throw new SweepRequired("a row isn't where the logs lead to");
    met.add(commitmentId);
  }
  if (met.size < entities.size) throw new SweepRequired("a commitment that the logs name isn't among the rows");
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

/** Ranges that cover the indexes and those from `count` to before `newCount`; neighbours are read together. */
export function joined(indexes: readonly bigint[], count: bigint, newCount: bigint): readonly IndexRange[] {
  const ranges: { from: bigint; to: bigint }[] = [];
  const singles = indexes.map((index) => ({ from: index, to: index + 1n }));
  const fresh = newCount > count ? [{ from: count, to: newCount }] : [];
  for (const range of [...singles, ...fresh].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = ranges.at(-1);
    if (last === undefined || range.from > last.to) ranges.push(range);
    else if (range.to > last.to) last.to = range.to;
  }
  return ranges;
}
