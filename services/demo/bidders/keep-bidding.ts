import type { Logger } from "../../../common/platform/log/log.ts";
import type { Bid } from "./bid.ts";
import type { BidBook } from "./bid-book.ts";
import type { SimulatedBidders } from "./simulated-bidders.ts";

export interface BiddingOptions {
  readonly saleUuid: string;
  /** Takes the next step of the sale's bidders, which is a bid or nothing. */
  step(): Promise<void>;
  /** Time between two steps, in milliseconds. */
  readonly bidIntervalMs: number;
  readonly logger: Pick<Logger, "warn">;
}

/**
 * Takes one step per interval, and waits for its end before the next one. Only the first of several failures in a row is logged.
 *
 * @returns a function that stops it and waits for the current step.
 */
export function keepBidding({ saleUuid, step, bidIntervalMs, logger }: BiddingOptions): () => Promise<void> {
  let bidding: Promise<void> | undefined;
  let failing = false;
  const tryStep = async () => {
    try {
      await step();
      failing = false;
    } catch (error) {
      if (!failing) logger.warn({ err: error, sale: saleUuid }, "a demo bid failed; it will be tried again");
      failing = true;
    }
  };
  const timer = setInterval(() => {
    bidding ??= tryStep().finally(() => {
      bidding = undefined;
    });
  }, bidIntervalMs);
  return async () => {
    clearInterval(timer);
    await bidding;
  };
}

export interface SimulatedBidding {
  readonly book: BidBook;
  readonly bidders: Pick<SimulatedBidders, "act">;
  /** Whether the sale takes no bids now, as it is settled. Asked before each bid. */
  isSettled(): Promise<boolean>;
}

/** Returns steps that each place a bid, unless the sale is settled. One that failed is placed again, so that the book has no gaps. */
export function bidSteps({ book, bidders, isSettled }: SimulatedBidding): () => Promise<void> {
  let bid: Bid | undefined;
  return async () => {
    if (await isSettled()) return;
    bid ??= bidders.act(BigInt(Math.floor(Date.now() / 1_000)));
    await book.place([bid]);
    bid = undefined;
  };
}
