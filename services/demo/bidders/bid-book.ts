import type { Bid } from "./bid.ts";

/** The place where a demo sale keeps its bids: the contract on the local chain, or the commitments service. */
export interface BidBook {
  /** Whether a bid may be cancelled while bidding is open. */
  readonly takesCancellations: boolean;
  /** The bids placed so far: one for each entity, in the order of their numbers, without gaps. */
  placed(): Promise<readonly Bid[]>;
  /** Places bids in order. After an error they may be placed again. Only an entity's last bid counts. */
  place(bids: readonly Bid[]): Promise<void>;
}
