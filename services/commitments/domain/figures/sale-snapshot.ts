import type { CommitmentRecord } from "../sale/commitment.ts";

/** The public read lists this many commitments at most (system description, section 8). */
export const LATEST_LIMIT = 100;

/** What readers see of a sale, before it is put into words: raw records and exact sums at one revision. */
export interface SaleSnapshot {
  /** The latest active commitments in their public order, at most `LATEST_LIMIT`. */
  readonly latest: readonly CommitmentRecord[];
  /** Over all active commitments, normalised. */
  readonly total: bigint;
  readonly count: bigint;
  /** Only of an auction. */
  readonly clearingTick?: bigint;
}

/** Creation time descending, then commitment ID ascending. */
export function compareLatest(left: CommitmentRecord, right: CommitmentRecord): number {
  if (left.createdAtSeconds !== right.createdAtSeconds) return left.createdAtSeconds > right.createdAtSeconds ? -1 : 1;
  return left.commitmentId < right.commitmentId ? -1 : left.commitmentId > right.commitmentId ? 1 : 0;
}
