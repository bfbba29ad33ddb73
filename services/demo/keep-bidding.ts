import type { Logger } from "../shared/log/log.ts";
import type { BidBook } from "./bid-book.ts";
import type { Bid, Crowd } from "./crowd.ts";
import type { DemoSale } from "./demo-sales.ts";

export interface BiddingOptions {
  readonly sale: DemoSale;
  readonly book: BidBook;
  readonly crowd: Pick<Crowd, "act">;
  /** Between two bids, in milliseconds. */
  readonly bidIntervalMs: number;
  readonly logger: Pick<Logger, "warn">;
}

/**
 * One bid an interval; the next is only begun when the one before has been answered, and one that failed is placed
 * again, so that the book has no gaps. Of failures in a row, the first is logged.
 *
 * @returns what stops it, and waits for the bid under way.
 */
export function keepBidding({ sale, book, crowd, bidIntervalMs, logger }: BiddingOptions): () => Promise<void> {
  let bid: Bid | undefined;
  let bidding: Promise<void> | undefined;
  let failing = false;
  const placeNext = async () => {
    try {
      bid ??= crowd.act(BigInt(Math.floor(Date.now() / 1_000)));
      await book.place([bid]);
      bid = undefined;
      failing = false;
    } catch (error) {
      if (!failing) logger.warn({ err: error, sale: sale.uuid }, "a demo bid could not be placed; it is tried again");
      failing = true;
    }
  };
  const timer = setInterval(() => {
    bidding ??= placeNext().finally(() => {
      bidding = undefined;
    });
  }, bidIntervalMs);
  return async () => {
    clearInterval(timer);
    await bidding;
  };
}
