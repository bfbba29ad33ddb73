import type { CommitmentRecord } from "../record/commitment.ts";

/** A stored commitment, and how it counts. */
export interface ListedCommitment {
  readonly record: CommitmentRecord;
  readonly active: boolean;
  /** The sum of its normalised amounts. */
  readonly amount: bigint;
}
