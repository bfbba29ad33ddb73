import { commitmentDigest } from "../../../sale/record/commitment-digest.ts";
import type { ContractFacts } from "../../contract-facts.ts";
import type { SourceCommitment } from "../../source-commitment.ts";
import type { StoredDigest, StoredSale } from "../../source-reader.ts";
import type { AppliedState } from "./applied-state.ts";
import type { ContractChanges } from "./contract-changes.ts";
import { NO_LOGS } from "./logged-changes.ts";
import { MAX_PARTIAL_ROWS, type PartialRead } from "./read-partial.ts";
import type { ReadSession } from "./read-session.ts";
import type { RecentBlocks } from "./recent-blocks.ts";
import type { RowReader } from "./row-reader.ts";
import { END_OF_INDEXES } from "./sweep.ts";
import { LateLogs, SweepRequired } from "./sweep-required.ts";

/**
 * Finds how many rows the state that is read has in common with the applied one, in a contract whose rows never change. The blocks
 * between the two are asked for, and no logs.
 *
 * @throws SweepRequired; SourceFault.
 */
export async function appendedSince(
  session: ReadSession,
  { position, count }: AppliedState,
  recent: RecentBlocks,
): Promise<ContractChanges> {
  const unlogged = { logs: NO_LOGS, missed: [], abandoned: new Set<string>() };
  if (await session.descendsFrom(position)) return { ...unlogged, commonCount: count };
  const ancestor = await session.commonAncestor(recent.newestFirst());
  if (ancestor === undefined) throw new SweepRequired("the chain was re-organised before the oldest applied block");
  if (!(await session.descendsFrom(ancestor))) throw new LateLogs("the nodes disagree about the chain");
  return { ...unlogged, commonCount: ancestor.count ?? (await session.countAt(ancestor)), ancestor };
}

export interface AppendedOptions {
  readonly rows: RowReader;
  readonly stored: StoredSale;
  readonly applied: AppliedState;
  readonly changes: ContractChanges;
  readonly facts: ContractFacts;
  readonly signal: AbortSignal;
}

/**
 * Reads the rows after the common ones of a contract whose rows never change, and those that the last partial read has read once more:
 * whatever a node answered wrongly at one block shows at the next.
 *
 * @throws SweepRequired if store and contract don't match; SourceFault.
 */
export async function readAppended(options: AppendedOptions): Promise<PartialRead> {
  const { rows, stored, applied, changes, facts, signal } = options;
  const { commonCount } = changes;
  const from = firstRow(options);
  const [read, before] = await Promise.all([
    rows.rows({ from, to: facts.count }, signal),
    storedFrom(stored, from, applied.count),
  ]);
  const upserts = read.filter((row) => isNew(row, before.get(row.commitmentId), commonCount));
  const present = new Set(read.map(({ commitmentId }) => commitmentId));
  if (present.size !== read.length) throw new SweepRequired("the contract lists a commitment twice");
  const removals = [...before.keys()].filter((id) => !present.has(id));
  return { upserts, removals, rowsRead: read.length, sums: applied.sums };
}

/** The index from which on rows are read: those that were read only once too, unless these would be too many at once. */
function firstRow({ applied, changes: { commonCount }, facts }: AppendedOptions): bigint {
  // A node may not have the state yet.
  if (facts.count < commonCount) throw new LateLogs("the contract has fewer commitments than before");
  const fits = (from: bigint) => [facts.count, applied.count].every((count) => count - from <= MAX_PARTIAL_ROWS);
  if (applied.readOnceFrom < commonCount && fits(applied.readOnceFrom)) return applied.readOnceFrom;
  if (fits(commonCount)) return commonCount;
  throw new SweepRequired("too many commitments were added at once");
}

/** The stored rows from an index on, by ID. @throws SweepRequired if they aren't those of the applied state */
async function storedFrom(stored: StoredSale, from: bigint, count: bigint): Promise<ReadonlyMap<string, StoredDigest>> {
  const before = new Map<string, StoredDigest>();
  // So a block without new rows costs the store nothing.
  if (from === count) return before;
  let next = from;
  for await (const digest of stored.digests(from, END_OF_INDEXES)) {
    if (digest.sourceIndex !== next) break;
    next += 1n;
    before.set(digest.commitmentId, digest);
  }
  if (next !== count) throw new SweepRequired("the stored rows aren't those of the last read");
  return before;
}

/** Whether a row isn't stored as it is. @throws SweepRequired for a common one: of its two answers one was wrong */
function isNew(row: SourceCommitment, before: StoredDigest | undefined, commonCount: bigint): boolean {
  const isStored = before?.sourceIndex === row.sourceIndex && before.digest === commitmentDigest(row);
  if (isStored || row.sourceIndex >= commonCount) return !isStored;
  throw new SweepRequired("a commitment isn't what was read before, though it never changes");
}
