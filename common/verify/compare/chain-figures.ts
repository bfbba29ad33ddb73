import { tickWidth } from "../../sale/definition/tick-width.ts";
import { AmountNormaliser } from "../../sale/figures/amount.ts";
import { demandOfBids } from "../../sale/figures/bid-demand.ts";
import { clearingSearch } from "../../sale/figures/clearing-search.ts";
import type { SaleSnapshot } from "../../sale/figures/commitment-data.ts";
import { LIST_LIMIT, latestOf } from "../../sale/figures/public-list.ts";
import { demandOf } from "../../sale/figures/tick-node.ts";
import { tickOfBids } from "../../sale/figures/tick-of-bids.ts";
import { type NodeSum, plus } from "../../sale/figures/tick-tree.ts";
import type { CommitmentRecord } from "../../sale/record/commitment.ts";
import type { ShownDefinition } from "./shown-sale.ts";

/** Rows that are held before the latest of them are chosen. */
const HELD_ROWS = 4 * LIST_LIMIT;

/** The figures of a sale, computed from nothing but the rows of its contract. */
export class ChainFigures {
  readonly #definition: ShownDefinition;
  readonly #normaliser: AmountNormaliser;
  readonly #demandOf: ReturnType<typeof demandOfBids>;
  /** Sums of bids by price tick; only in an auction. */
  readonly #bids = new Map<bigint, NodeSum>();
  #latest: CommitmentRecord[] = [];
  #total = 0n;
  #count = 0n;

  constructor(definition: ShownDefinition) {
    this.#definition = definition;
    this.#normaliser = new AmountNormaliser(definition);
    this.#demandOf = demandOfBids(definition);
  }

  /** Adds a commitment that counts. @throws RangeError if it has an amount in a token that isn't the sale's */
  add(row: CommitmentRecord): void {
    const amount = this.#normaliser.sum(row.amounts);
    this.#total += amount;
    this.#count += 1n;
    if (this.#definition.pricing.kind === "auction") {
      const bid = { amount, commitments: 1n, demand: this.#demandOf({ amount, demand: row.demand }) };
      this.#bids.set(row.priceTicks, plus(this.#bids.get(row.priceTicks), bid));
    }
    this.#latest.push(row);
    if (this.#latest.length > HELD_ROWS) this.#chooseLatest();
  }

  /** The figures of all rows that were added. */
  snapshot(): SaleSnapshot {
    this.#chooseLatest();
    const figures = { latest: this.#latest, total: this.#total, count: this.#count };
    const { pricing, priceTick } = this.#definition;
    if (pricing.kind !== "auction") return figures;
    const width = tickWidth(this.#definition);
    const clearingTick = tickOfBids(clearingSearch(pricing, priceTick, width), width, this.#bids);
    let belowFloor = 0n;
    for (const [tick, { amount }] of this.#bids) if (tick < pricing.floorTicks) belowFloor += amount;
    return { ...figures, clearingTick, ...(belowFloor === 0n ? {} : { belowFloor }) };
  }

  /** Adds up the demand at a price or more. */
  demandFrom(tick: bigint): bigint {
    const { denominator } = this.#definition.priceTick;
    let demand = 0n;
    for (const [at, bids] of this.#bids) if (at >= tick) demand += demandOf(bids, denominator);
    return demand;
  }

  #chooseLatest(): void {
    this.#latest = latestOf(this.#latest);
  }
}
