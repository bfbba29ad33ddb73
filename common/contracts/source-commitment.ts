/** A raw amount: smallest units of `token`, 0 to 2^256-1. Addresses in canonical form: EVM lower-case, SVM base58. */
export interface SourceAmount {
  readonly wallet: string;
  readonly token: string;
  readonly amount: bigint;
}

/** A commitment as its contract holds it: the fields of `common/sale/record/commitment-digest.ts`, and its index. */
export interface SourceCommitment {
  /** 64 lower-case hex digits. */
  readonly commitmentId: string;
  /** 32 lower-case hex digits. */
  readonly entityId: string;
  readonly createdAtSeconds: bigint;
  readonly priceTicks: bigint;
  readonly lockup: boolean;
  readonly refunded: boolean;
  readonly amounts: readonly SourceAmount[];
  readonly extraData: Uint8Array;
  /** Position in the contract's list. On SVM chains, where there is none, the order in which entities were first seen. */
  readonly sourceIndex: bigint;
  /** The amounts that the contract accepts, one for each wallet and token, none zero; absent where there are none. */
  readonly accepted?: readonly SourceAmount[];
  /** See `CommitmentRecord.demand` (`common/sale/record/commitment.ts`). */
  readonly demand?: bigint;
}
