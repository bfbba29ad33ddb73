/** A text of decimal digits; read it with `BigInt`. */
export type Digits = string;

/** A text that begins with `0x`, in lower case. */
export type Hex = string;

/** An amount of one token that one wallet committed. */
export interface WalletTokenAmount {
  /** An address as lower-case hex, or on Solana in base58. */
  readonly Wallet: string;
  readonly TokenAddress: string;
  /** In smallest units of `PaymentTokenDecimals`, whatever the token's own decimals are. */
  readonly Amount: Digits;
}

/** A commitment to a sale. */
export interface Commitment {
  /** 32 bytes, unique in the sale. */
  readonly CommitmentID: Hex;
  /** The entity that commits: 16 bytes. */
  readonly SaleSpecificEntityID: Hex;
  /** The price: smallest units of `PaymentTokenDecimals` for one smallest unit of the offered token, not reduced. */
  readonly PriceNumerator: Digits;
  readonly PriceDenominator: Digits;
  /** The price of one whole token in millionths of a dollar, where the payment tokens are dollar stablecoins. */
  readonly PriceMicroUSD?: Digits;
  readonly Amounts: readonly WalletTokenAmount[];
  /** Such as `2026-01-31T12:00:00Z`. */
  readonly CreatedAt: string;
  readonly ExtraDataRaw: Hex;
  /** `{}` where the sale doesn't say how to read it. */
  readonly ExtraDataParsed: Readonly<Record<string, unknown>>;
}

/** A sale's figures without its list. */
export interface Totals {
  /** Sum of all commitments that count, in smallest units of `PaymentTokenDecimals`. */
  readonly TotalCommitmentAmount: Digits;
  readonly UniqueCommitmentCount: number;
  readonly PaymentTokenDecimals: number;
  readonly OfferedTokenDecimals?: number;
  /** The auction's clearing price, a fraction like a commitment's: its floor as long as the demand doesn't pay for the offer. */
  readonly ClearingPriceNumerator?: Digits;
  readonly ClearingPriceDenominator?: Digits;
  readonly ClearingPriceMicroUSD?: Digits;
  /** The part of the total that is bid below the auction's floor, and isn't part of the demand; absent for none. */
  readonly BelowFloorAmount?: Digits;
}

/** A sale's figures, all of one moment. */
export interface CommitmentData extends Totals {
  /** The 100 latest that count, newest first. */
  readonly Commitments: readonly Commitment[];
}

/** How current a sale's figures are: data of the stream's `state` and `heartbeat` events. */
export interface FeedState {
  /** The block up to which the figures are those of the contract, with times in seconds since 1970; null without a contract. */
  readonly AsOf: {
    readonly Block: Digits;
    readonly BlockHash?: Hex;
    readonly BlockTime?: number;
    readonly LastSuccess: number;
  } | null;
  /** Seconds since that was last confirmed. */
  readonly BehindSeconds: number;
  /** Why the figures stand still, in words for visitors of a page; empty while they don't. */
  readonly Fault: string;
  /** Whether the sale is over. */
  readonly Settled: boolean;
  /** Empty where it isn't known. */
  readonly PaymentSymbol: string;
}

/** Data of the stream's `difference` events. */
export interface Difference {
  /** ID of the state that it changes. Applied to another one, it makes figures that never were. */
  readonly AppliesTo: string;
  readonly Removed: readonly Hex[];
  readonly Upserted: readonly { readonly Index: number; readonly Commitment: Commitment }[];
  readonly Totals: Totals;
}

/** Returns the figures after a difference. The caller must have checked that they are those of `AppliesTo`. */
export function withDifference(data: CommitmentData, { Removed, Upserted, Totals }: Difference): CommitmentData {
  const gone = new Set([...Removed, ...Upserted.map(({ Commitment }) => Commitment.CommitmentID)]);
  const Commitments = data.Commitments.filter(({ CommitmentID }) => !gone.has(CommitmentID));
  for (const { Index, Commitment } of Upserted) Commitments.splice(Index, 0, Commitment);
  return { Commitments, ...Totals };
}

/** Generation and revision. */
const STATE_ID = /^([0-9a-f]{16})-(\d+)/;

/** Whether a state's ID comes before another one of the same generation. */
export function isOlder(id: string, other: string): boolean {
  const [, generation, revision = ""] = STATE_ID.exec(id) ?? [];
  const [, otherGeneration, otherRevision = ""] = STATE_ID.exec(other) ?? [];
  return generation !== undefined && generation === otherGeneration && BigInt(revision) < BigInt(otherRevision);
}
