import type { ContractFamily } from "../sale/definition/contract-family.ts";

/** A bid, as its sale stores it. */
export interface LeavingBid {
  /** 64 lower-case hex digits. */
  readonly commitmentId: string;
  readonly priceTicks: bigint;
  /** Smallest units of the payment token. */
  readonly amount: bigint;
  /** See `CommitmentRecord.demand`. */
  readonly demand: bigint;
}

/** How a bid stands in an auction that it leaves by a call. See `BidStanding` in the protos. */
export type BidStanding =
  | "may_get_more"
  | "awaits_checkpoint"
  | "awaits_graduation"
  | "outbid"
  | "at_final_price"
  | "above_final_price"
  | "not_graduated"
  | "locked";

/** Result of a bid, and the call by which it leaves. */
export interface BidExit {
  readonly standing: BidStanding;
  /** Amounts and tokens in smallest units. Absent while it may get more, and for one that is locked. */
  readonly fill?: { readonly spent: bigint; readonly refunded: bigint; readonly tokens: bigint };
  /** Absent if no call lets it leave now. */
  readonly call?: { readonly name: string; readonly arguments: readonly bigint[] };
}

/** The exits of all bids of an auction, at one block. */
export interface BidExits {
  readonly height: bigint;
  /**
   * Returns how a bid leaves; undefined for one that the block doesn't have yet.
   *
   * @param clearingTicks the sale's present clearing price
   * @throws RangeError if the bid contradicts the auction
   */
  of(bid: LeavingBid, clearingTicks: bigint | undefined): BidExit | undefined;
}

/** An auction whose bids are asked for. */
export interface ExitTarget {
  readonly address: string;
  /** `EvmSource.family`. */
  readonly contractFamily?: ContractFamily;
}
