import type { Bid } from "./crowd.ts";

/** Where the bids of a sale's crowd go, and come from after a restart. */
export interface BidBook {
  /** Whether a bid may be cancelled while bidding is open. */
  readonly takesCancellations: boolean;
  /** The bids that were placed before, by entity without gaps. */
  placed(): Promise<readonly Bid[]>;
  /** Places bids in their order; after an error they may be placed again. Where an entity has several, the last counts. */
  place(bids: readonly Bid[]): Promise<void>;
}
