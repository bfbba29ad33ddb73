import type { CommitmentRecord } from "../record/commitment.ts";

/** The public read lists this many commitments at most (system description, section 8). */
export const LATEST_LIMIT = 100;

/** The public state of a sale before it is presented: raw records and exact sums at one revision. */
export interface SaleSnapshot {
  /** The latest active commitments in their public order, at most `LATEST_LIMIT`. */
  readonly latest: readonly CommitmentRecord[];
  /** The normalised sum of all active commitments. */
  readonly total: bigint;
  readonly count: bigint;
  /** Only in an auction. */
  readonly clearingTick?: bigint;
}

/** Orders records by creation time descending, then by commitment ID ascending. */
export function compareLatest(left: CommitmentRecord, right: CommitmentRecord): number {
  if (left.createdAtSeconds !== right.createdAtSeconds) return left.createdAtSeconds > right.createdAtSeconds ? -1 : 1;
  return left.commitmentId < right.commitmentId ? -1 : left.commitmentId > right.commitmentId ? 1 : 0;
}
