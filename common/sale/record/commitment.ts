/** A raw amount: smallest units of `token`, 0 to 2^256-1. */
export interface WalletTokenAmount {
  readonly wallet: string;
  readonly token: string;
  readonly amount: bigint;
}

/** A commitment as the sale contract holds it (`CommitmentData` of `ICommitmentDataReader`). */
export interface CommitmentRecord {
  /** 64 lower-case hex digits. */
  readonly commitmentId: string;
  /** 32 lower-case hex digits. */
  readonly entityId: string;
  readonly createdAtSeconds: bigint;
  /** 0 to 2^160-1. */
  readonly priceTicks: bigint;
  readonly lockup: boolean;
  readonly refunded: boolean;
  readonly amounts: readonly WalletTokenAmount[];
  readonly extraData: Uint8Array;
  readonly sourceIndex?: bigint;
  /** The raw amounts that the contract accepts, one for each wallet and token, none zero; absent where there are none. */
  readonly accepted?: readonly WalletTokenAmount[];
  /**
   * The weight of the bid in the search for the clearing price, in smallest payment units (of P) divided by the denominator of the
   * sale's price tick, 0 to 2^256-1; absent where it is the amount. Only in an auction with the rule `lowest_not_outbid`.
   */
  readonly demand?: bigint;
}

/** A commitment that names a wallet among its amounts. */
export interface CommitmentOfWallet {
  readonly wallet: string;
  readonly commitmentId: string;
}

/** Returns the wallets that amounts name, each once. A wallet with nothing but zeros is one of them. */
export function walletsOf(amounts: readonly Pick<WalletTokenAmount, "wallet">[]): readonly string[] {
  return [...new Set(amounts.map(({ wallet }) => wallet))];
}
