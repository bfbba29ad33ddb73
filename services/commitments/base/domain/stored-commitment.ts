import type { CountingClass } from "../../../../common/sale/figures/counting-class.ts";
import type { CommitmentRecord, WalletTokenAmount } from "../../../../common/sale/record/commitment.ts";

/** The part of a stored commitment that is needed to replace or remove it. */
export interface StoredCommitment {
  readonly commitmentId: string;
  readonly entityId: string;
  readonly priceTicks: bigint;
  readonly countingClass: CountingClass;
  /** The sum of its normalised amounts. */
  readonly amount: bigint;
  /** Hex. */
  readonly digest: string;
  readonly sourceIndex?: bigint;
  /** The wallets of its amounts, each once. */
  readonly wallets: readonly string[];
  /** See `CommitmentRecord.accepted`. */
  readonly accepted?: readonly WalletTokenAmount[];
  /** See `CommitmentRecord.demand`. */
  readonly demand?: bigint;
}

/** A checked record with the values derived from it alone. */
export interface IncomingCommitment {
  readonly record: CommitmentRecord;
  /** The sum of its normalised amounts. */
  readonly amount: bigint;
  readonly hasAmount: boolean;
  /** Hex; equal digests mean equal records, the source index aside. */
  readonly digest: string;
}

/** A commitment as it is written. */
export interface CommitmentRow extends IncomingCommitment {
  readonly countingClass: CountingClass;
}
