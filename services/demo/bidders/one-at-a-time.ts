import { Semaphore } from "../../../common/platform/concurrency/semaphore.ts";
import type { BidBook } from "./bid-book.ts";
import type { NewWallet } from "./permit-bid.ts";

/** Longest wait of a bid for those before it, in milliseconds. */
const WAIT_MS = 30_000;

/**
 * Lets the simulated bidders and the wallets of people bid one after the other: while the chain forgets its old blocks, which a
 * simulated bid may begin with, it takes no transaction.
 */
export function oneAtATime(book: BidBook, newWallet: NewWallet): { readonly book: BidBook; newWallet: NewWallet } {
  const turns = new Semaphore(1);
  const inTurn = (work: () => Promise<void>) => turns.run(work, AbortSignal.timeout(WAIT_MS));
  return {
    book: {
      takesCancellations: book.takesCancellations,
      placed: () => book.placed(),
      place: (bids) => inTurn(() => book.place(bids)),
    },
    newWallet: async () => {
      const wallet = await newWallet();
      return { address: wallet.address, bid: (...bid) => inTurn(() => wallet.bid(...bid)) };
    },
  };
}
