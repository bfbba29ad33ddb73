import type { DemoSale } from "../sales/demo-sales.ts";
import type { BidBook } from "./bid-book.ts";
import { Random } from "./random.ts";
import { SimulatedBidders } from "./simulated-bidders.ts";

const SEED = 2_026;
/** Bids, raises and cancellations of a new sale. */
const FIRST_ACTIONS = 600;

/** Continues with the bids in a sale's book. If there are none, places the first ones, spread over the past. */
export async function gatherBidders(sale: DemoSale, book: BidBook, pastSeconds: number): Promise<SimulatedBidders> {
  const bids = await book.placed();
  const random = new Random(SEED + bids.length);
  const bidders = new SimulatedBidders(sale, random, { bids, cancels: book.takesCancellations });
  if (bids.length > 0) return bidders;
  const begin = Math.floor(Date.now() / 1_000) - pastSeconds;
  const timeOf = (action: number) => BigInt(begin + Math.floor((action * pastSeconds) / FIRST_ACTIONS));
  await book.place(Array.from({ length: FIRST_ACTIONS }, (_, action) => bidders.act(timeOf(action))));
  return bidders;
}
