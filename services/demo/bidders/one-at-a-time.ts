import { Semaphore } from "../../../common/platform/concurrency/semaphore.ts";
import type { BidBook } from "./bid-book.ts";
import type { ContinuousBidding } from "./continuous-bidding.ts";
import type { NewWallet } from "./permit-bid.ts";

/** Longest wait of a bid for those before it, in milliseconds. */
const WAIT_MS = 30_000;

/** All who bid on one chain. */
export interface ChainBidders {
  readonly book: BidBook;
  readonly newWallet: NewWallet;
  readonly continuous: ContinuousBidding;
}

/**
 * Lets the simulated bidders and the wallets of people bid one after the other: while the chain forgets its old blocks, which a
 * simulated bid may begin with, it takes no transaction.
 */
export function oneAtATime({ book, newWallet, continuous }: ChainBidders): ChainBidders {
  const turns = new Semaphore(1);
  const inTurn = (work: () => Promise<void>) => turns.run(work, AbortSignal.timeout(WAIT_MS));
  return {
    continuous: {
      contract: continuous.contract,
      open: () => inTurn(() => continuous.open()),
      step: () => inTurn(() => continuous.step()),
    },
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
