import type { DemoSale } from "../sales/demo-sales.ts";
import type { Bid } from "./bid.ts";
import type { Random } from "./random.ts";

const MAX_BIDDERS = 3_000;
/** Highest amount of a bidder in one token, in whole tokens. */
const MAX_TOKENS = 20_000n;

export interface SimulatedBiddersOptions {
  /** The bids of an earlier run, by entity without gaps; none by default. */
  readonly bids?: readonly Bid[];
  /** Whether bidders may cancel while bidding is open; true by default. */
  readonly cancels?: boolean;
}

/** Up to 3,000 bidders who bid, raise and sometimes cancel, by the rules of the reference contract. */
export class SimulatedBidders {
  readonly #sale: DemoSale;
  readonly #random: Random;
  readonly #cancels: boolean;
  readonly #bids: Bid[];

  constructor(sale: DemoSale, random: Random, { bids = [], cancels = true }: SimulatedBiddersOptions = {}) {
    this.#sale = sale;
    this.#random = random;
    this.#bids = [...bids];
    this.#cancels = cancels;
  }

  /** The next bid, raise or cancellation of one of them. */
  act(nowSeconds: bigint): Bid {
    const bid = this.#decide(nowSeconds);
    this.#bids[bid.entity] = bid;
    return bid;
  }

  #decide(nowSeconds: bigint): Bid {
    const choice = this.#random.next();
    const earlier = this.#random.pick(this.#bids);
    if (earlier === undefined || (choice < 0.5 && this.#bids.length < MAX_BIDDERS)) {
      return this.#firstBid(this.#bids.length, nowSeconds);
    }
    if (earlier.refunded) return this.#firstBid(earlier.entity, nowSeconds);
    return choice < 0.96 || !this.#cancels ? this.#raise(earlier, nowSeconds) : cancel(earlier);
  }

  #firstBid(entity: number, createdAtSeconds: bigint): Bid {
    const amounts = [{ wallet: 0, token: this.#random.pick(this.#sale.tokens) ?? "", amount: this.#amount(20, 2_000) }];
    return { entity, createdAtSeconds, priceTicks: this.#price(this.#sale.lowestBid), refunded: false, amounts };
  }

  /** Raises a bid: its price and amounts never fall, and its time becomes that of the raise. */
  #raise(bid: Bid, createdAtSeconds: bigint): Bid {
    const priceTicks = this.#random.next() < 0.5 ? this.#price(bid.priceTicks) : bid.priceTicks;
    return { ...bid, createdAtSeconds, priceTicks, amounts: this.#raisedAmounts(bid) };
  }

  #raisedAmounts({ amounts }: Bid): Bid["amounts"] {
    const more = this.#amount(5, 500);
    const token = this.#random.pick(this.#sale.tokens) ?? "";
    const most = MAX_TOKENS * this.#sale.oneToken;
    const grown = amounts.map((entry) =>
      entry.token === token ? { ...entry, amount: min(entry.amount + more, most) } : entry,
    );
    return grown.some((entry) => entry.token === token)
      ? grown
      : [...grown, { wallet: grown.length, token, amount: more }];
  }

  #price(from: bigint): bigint {
    const { highestBid } = this.#sale;
    if (from >= highestBid) return from;
    // The product of two random numbers: most bidders bid little above `from`, a few bid much more.
    const share = this.#random.next() * this.#random.next();
    return from + BigInt(Math.floor(share * Number(highestBid - from)));
  }

  /** A random amount in smallest units, rounded to cents. */
  #amount(low: number, high: number): bigint {
    return (BigInt(this.#random.integer(low * 100, high * 100)) * this.#sale.oneToken) / 100n;
  }
}

/** Sets the amounts to zero and marks the bid as refunded; its time stays. */
function cancel(bid: Bid): Bid {
  return { ...bid, refunded: true, amounts: bid.amounts.map((entry) => ({ ...entry, amount: 0n })) };
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
