import type { Logger } from "../../../common/platform/log/log.ts";
import type { DemoSale } from "../sales/demo-sales.ts";
import type { Bid } from "./bid.ts";
import type { BidBook } from "./bid-book.ts";
import type { SimulatedBidders } from "./simulated-bidders.ts";

export interface BiddingOptions {
  readonly sale: DemoSale;
  readonly book: BidBook;
  readonly bidders: Pick<SimulatedBidders, "act">;
  /** Whether the sale takes no bids now, as it is settled. Asked before each bid. */
  isSettled(): Promise<boolean>;
  /** Time between two bids, in milliseconds. */
  readonly bidIntervalMs: number;
  readonly logger: Pick<Logger, "warn">;
}

/**
 * Places one bid per interval, and waits for its answer before the next one. A failed bid is placed again, so that the
 * book has no gaps. Only the first of several failures in a row is logged.
 * A settled sale gets no bids.
 *
 * @returns a function that stops it and waits for the current bid.
 */
export function keepBidding(options: BiddingOptions): () => Promise<void> {
  const { sale, book, bidders, bidIntervalMs, logger } = options;
  let bid: Bid | undefined;
  let bidding: Promise<void> | undefined;
  let failing = false;
  const placeNext = async () => {
    try {
      if (await options.isSettled()) return;
      bid ??= bidders.act(BigInt(Math.floor(Date.now() / 1_000)));
      await book.place([bid]);
      bid = undefined;
      failing = false;
    } catch (error) {
      if (!failing) logger.warn({ err: error, sale: sale.uuid }, "a demo bid failed; it will be tried again");
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
