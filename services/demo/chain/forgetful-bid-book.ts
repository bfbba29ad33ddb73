import type { BidBook } from "../bidders/bid-book.ts";
import type { LocalChain } from "./local-chain.ts";

/** Each bid is a block, and anvil keeps 2 KB of a block in memory and in its state. */
const BIDS_BETWEEN = 2_000;

/**
 * A bid book that makes its chain forget old blocks every 2,000 bids, which bounds the chain's memory and state. If
 * forgetting fails, the bid fails too; the next bid tries both again.
 */
export function forgetfulBidBook(book: BidBook, chain: Pick<LocalChain, "forgetOldBlocks">): BidBook {
  let bids = 0;
  return {
    takesCancellations: book.takesCancellations,
    placed: () => book.placed(),
    async place(next) {
      if (bids >= BIDS_BETWEEN) {
        await chain.forgetOldBlocks();
        bids = 0;
      }
      await book.place(next);
      bids += next.length;
    },
  };
}
