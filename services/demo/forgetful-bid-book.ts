import type { BidBook } from "./bid-book.ts";
import type { LocalChain } from "./local-chain.ts";

/** Each is a block, of which anvil keeps 2 KB in memory and in its state. */
const BIDS_BETWEEN = 2_000;

/**
 * A book on a chain that forgets old blocks now and then, between two bids: so its memory and its state stay bounded,
 * however long the crowd bids. Where forgetting fails, so does the bid, and both are tried again with the next one.
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
