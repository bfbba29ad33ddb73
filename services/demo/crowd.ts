import type { DemoSale } from "./demo-sales.ts";
import type { Random } from "./random.ts";

/** Whom the crowd consists of, at most. */
const MAX_BIDDERS = 3_000;
/** What one of the crowd commits at most, in whole tokens. */
const MAX_TOKENS = 20_000n;

/** A commitment of the crowd: as in the reference contract, each entity has one. */
export interface Bid {
  /** Counts the entities from 0. */
  readonly entity: number;
  readonly createdAtSeconds: bigint;
  readonly priceTicks: bigint;
  readonly refunded: boolean;
  /** By wallet number and token, in smallest units. */
  readonly amounts: readonly { readonly wallet: number; readonly token: string; readonly amount: bigint }[];
}

export interface CrowdOptions {
  /** The bids that were placed before, by entity without gaps; none by default. */
  readonly bids?: readonly Bid[];
  /** Whether people cancel while bidding is open; true by default. */
  readonly cancels?: boolean;
}

/** People who bid, raise and now and then cancel, by the rules of the reference contract. */
export class Crowd {
  readonly #sale: DemoSale;
  readonly #random: Random;
  readonly #cancels: boolean;
  readonly #bids: Bid[];

  constructor(sale: DemoSale, random: Random, { bids = [], cancels = true }: CrowdOptions = {}) {
    this.#sale = sale;
    this.#random = random;
    this.#bids = [...bids];
    this.#cancels = cancels;
  }

  /** What one of them does next. */
  act(nowSeconds: bigint): Bid {
    const bid = this.#decide(nowSeconds);
    this.#bids[bid.entity] = bid;
    return bid;
  }

  #decide(nowSeconds: bigint): Bid {
    const choice = this.#random.next();
    const known = this.#random.pick(this.#bids);
    if (known === undefined || (choice < 0.5 && this.#bids.length < MAX_BIDDERS)) {
      return this.#firstBid(this.#bids.length, nowSeconds);
    }
    if (known.refunded) return this.#firstBid(known.entity, nowSeconds);
    return choice < 0.96 || !this.#cancels ? this.#raise(known, nowSeconds) : cancel(known);
  }

  #firstBid(entity: number, createdAtSeconds: bigint): Bid {
    const amounts = [{ wallet: 0, token: this.#random.pick(this.#sale.tokens) ?? "", amount: this.#amount(20, 2_000) }];
    return { entity, createdAtSeconds, priceTicks: this.#price(this.#sale.lowestBid), refunded: false, amounts };
  }

  /** Price and amounts never fall while bidding is open; the time moves to the new bid. */
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
    // The product of two chances: most bid little above where they start, few bid much.
    const share = this.#random.next() * this.#random.next();
    return from + BigInt(Math.floor(share * Number(highestBid - from)));
  }

  /** In smallest units, with cents. */
  #amount(low: number, high: number): bigint {
    return (BigInt(this.#random.integer(low * 100, high * 100)) * this.#sale.oneToken) / 100n;
  }
}

/** Takes the amounts to zero and marks the bid refunded; the time stays. */
function cancel(bid: Bid): Bid {
  return { ...bid, refunded: true, amounts: bid.amounts.map((entry) => ({ ...entry, amount: 0n })) };
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
