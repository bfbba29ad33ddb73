import { type TickWidth, tickWidth } from "../../sale/definition/tick-width.ts";
import { AmountNormaliser } from "../../sale/figures/amount.ts";
import { type ChildrenRequest, clearingTick } from "../../sale/figures/clearing-price.ts";
import type { SaleSnapshot } from "../../sale/figures/commitment-data.ts";
import { LIST_LIMIT, latestOf } from "../../sale/figures/public-list.ts";
import { TICK_RADIX, type TickNode, ticksOfNode } from "../../sale/figures/tick-node.ts";
import type { CommitmentRecord } from "../../sale/record/commitment.ts";
import type { ShownDefinition } from "./shown-sale.ts";

/** Rows that are held before the latest of them are chosen. */
const HELD_ROWS = 4 * LIST_LIMIT;

/** The figures of a sale, computed from nothing but the rows of its contract. */
export class ChainFigures {
  readonly #definition: ShownDefinition;
  readonly #normaliser: AmountNormaliser;
  /** Amounts by price tick; only in an auction. */
  readonly #demand = new Map<bigint, bigint>();
  #latest: CommitmentRecord[] = [];
  #total = 0n;
  #count = 0n;

  constructor(definition: ShownDefinition) {
    this.#definition = definition;
    this.#normaliser = new AmountNormaliser(definition);
  }

  /** Adds a commitment that counts. @throws RangeError if it has an amount in a token that isn't the sale's */
  add(row: CommitmentRecord): void {
    const amount = this.#normaliser.sum(row.amounts);
    this.#total += amount;
    this.#count += 1n;
    if (this.#definition.pricing.kind === "auction") {
      this.#demand.set(row.priceTicks, (this.#demand.get(row.priceTicks) ?? 0n) + amount);
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
    const search = clearingTick(pricing, priceTick, width);
    let step = search.next();
    while (!step.done) step = search.next(childrenOf(width, this.#demand, step.value));
    const belowFloor = this.#total - this.demandFrom(pricing.floorTicks);
    return { ...figures, clearingTick: step.value, ...(belowFloor === 0n ? {} : { belowFloor }) };
  }

  /** Adds up what is bid at a price or more. */
  demandFrom(tick: bigint): bigint {
    let demand = 0n;
    for (const [at, amount] of this.#demand) if (at >= tick) demand += amount;
    return demand;
  }

  #chooseLatest(): void {
    this.#latest = latestOf(this.#latest);
  }
}

/** The children of a node of the tick tree, added up from the amounts by tick. */
function childrenOf(
  width: TickWidth,
  demand: ReadonlyMap<bigint, bigint>,
  { level, lowestTick }: ChildrenRequest,
): readonly TickNode[] {
  const ticks = ticksOfNode(width, level);
  const end = lowestTick + ticks * BigInt(TICK_RADIX);
  const amounts = new Map<bigint, bigint>();
  for (const [tick, amount] of demand) {
    if (amount === 0n || tick < lowestTick || tick >= end) continue;
    const child = tick - (tick % ticks);
    amounts.set(child, (amounts.get(child) ?? 0n) + amount);
  }
  return Array.from(amounts, ([lowest, amount]) => ({ level, lowestTick: lowest, amount }));
}
