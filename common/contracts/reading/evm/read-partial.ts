import { commitmentDigest } from "../../../sale/record/commitment-digest.ts";
import type { ContractFacts, TokenSums } from "../../contract-facts.ts";
import type { EvmFamily } from "../../evm-family.ts";
import type { SourceCommitment } from "../../source-commitment.ts";
import type { StoredSale } from "../../source-reader.ts";
import { addAmounts } from "./add-amounts.ts";
import type { RowSummary } from "./applied-state.ts";
import type { ContractChanges } from "./contract-changes.ts";
import { mergeRanges } from "./merge-ranges.ts";
import type { RowReader } from "./row-reader.ts";
import { LateLogs, SweepRequired } from "./sweep-required.ts";
import type { TotalsCheck } from "./totals-check.ts";

/** Most rows of a partial read, which holds all of them in memory. If more changed, the whole contract is read. */
export const MAX_PARTIAL_ROWS = 2000;
const MAX_RECORDS_PER_CALL = 500;

export interface PartialOptions {
  readonly rows: RowReader;
  readonly family: Pick<EvmFamily, "logs">;
  readonly stored: StoredSale;
  readonly applied: RowSummary;
  readonly changes: ContractChanges;
  readonly facts: ContractFacts;
  /** The contract's totals, as sums; undefined if it says none. */
  readonly totals: TokenSums | undefined;
  readonly check: TotalsCheck;
  readonly signal: AbortSignal;
}

export interface PartialRead {
  readonly upserts: readonly SourceCommitment[];
  /** IDs of commitments that only abandoned blocks had. */
  readonly removals: readonly string[];
  readonly rowsRead: number;
  readonly sums: ReadonlyMap<string, bigint>;
}

/**
 * Reads the rows that the logs name, and those after the common ones.
 *
 * @throws SweepRequired if logs, store and contract don't match; SourceFault.
 */
export async function readPartial(options: PartialOptions): Promise<PartialRead> {
  const { rows, applied, changes, facts, totals, signal } = options;
  checkSize(options);
  const before = await recordsBefore(options);
  const indexes = [...before.values()].map(({ sourceIndex }) => sourceIndex);
  const common = indexes.filter((index) => index < changes.commonCount);
  const ranges = mergeRanges(common, changes.commonCount, facts.count);
  const read = (await Promise.all(ranges.map((range) => rows.rows(range, signal)))).flat();
  const present = checkRows(read, before, options);
  const removals = removedIds(present, before, changes);
  const sums = sumsAfter(applied.sums, before, read);
  if (totals === undefined || !options.check.isExpected(sums, totals)) {
    throw new LateLogs("the contract's total doesn't match its logs");
  }
  const upserts = read.filter((row) => isChanged(row, before.get(row.commitmentId)));
  return { upserts, removals, rowsRead: read.length, sums };
}

function checkSize({ changes: { logs, abandoned, commonCount }, facts }: PartialOptions): void {
  if (logs.hasUnknown) throw new SweepRequired("the contract has a log of unknown meaning");
  if (facts.count < commonCount) throw new SweepRequired("the contract has fewer commitments than before");
  const rows = BigInt(logs.commitments.size + abandoned.size) + facts.count - commonCount;
  if (rows > MAX_PARTIAL_ROWS) throw new SweepRequired("too many commitments changed at once");
}

/** The stored records of the named commitments, by ID. They must include all that aren't common. */
async function recordsBefore({ stored, changes, applied }: PartialOptions) {
  const { commonCount } = changes;
  const ids = [...namedCommitments(changes)];
  const pages: Promise<readonly SourceCommitment[]>[] = [];
  for (let from = 0; from < ids.length; from += MAX_RECORDS_PER_CALL) {
    pages.push(stored.records(ids.slice(from, from + MAX_RECORDS_PER_CALL)));
  }
  const records = new Map((await Promise.all(pages)).flat().map((record) => [record.commitmentId, record]));
  const uncommon = [...records.values()].map(({ sourceIndex }) => sourceIndex).filter((at) => at >= commonCount);
  const isComplete = BigInt(new Set(uncommon).size) === applied.count - commonCount;
  if (!isComplete || uncommon.some((at) => at >= applied.count)) {
    throw new SweepRequired("the stored rows after the common ones aren't those that the logs name");
  }
  return records;
}

/**
 * Checks that the logs name every row, and that a common row is still at its index.
 *
 * @returns the IDs of the rows.
 */
function checkRows(
  read: readonly SourceCommitment[],
  before: ReadonlyMap<string, SourceCommitment>,
  { family, changes: { logs, abandoned, commonCount } }: PartialOptions,
): ReadonlySet<string> {
  const present = new Set<string>();
  for (const row of read) {
    const { commitmentId, sourceIndex } = row;
    const isNamed = logs.commitments.has(commitmentId) || abandoned.has(commitmentId);
    const wasAt = before.get(commitmentId)?.sourceIndex ?? commonCount;
    const isInPlace = wasAt < commonCount ? sourceIndex === wasAt : sourceIndex >= commonCount;
    if (!isNamed || commitmentId !== family.logs.namedId(row) || !isInPlace || present.has(commitmentId)) {
      throw new SweepRequired("a row doesn't match the logs");
    }
    present.add(commitmentId);
  }
  return present;
}

/** The commitments that only abandoned blocks had: every other named one must be among the rows. */
function removedIds(
  present: ReadonlySet<string>,
  before: ReadonlyMap<string, SourceCommitment>,
  changes: ContractChanges,
): readonly string[] {
  const missing = [...namedCommitments(changes)].filter((id) => !present.has(id));
  for (const id of missing) {
    const wasAt = before.get(id)?.sourceIndex ?? -1n;
    if (changes.logs.commitments.has(id) || wasAt < changes.commonCount) {
      throw new SweepRequired("a commitment that the logs name isn't among the rows");
    }
  }
  return missing;
}

function namedCommitments({ logs, abandoned }: ContractChanges): ReadonlySet<string> {
  return new Set([...logs.commitments, ...abandoned]);
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
  if (before === undefined || before.sourceIndex !== row.sourceIndex) return true;
  return commitmentDigest(before) !== commitmentDigest(row);
}
