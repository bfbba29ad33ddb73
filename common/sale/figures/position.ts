import type { SaleDefinition } from "../definition/sale.ts";
import type { CommitmentRecord } from "../record/commitment.ts";
import type { CountingClass } from "./counting-class.ts";

/** Why a commitment isn't active: it is refunded, or none of its amounts is more than zero. */
export type NotCounted = "refunded" | "no_amount";

/**
 * The meaning of the clearing price for an active commitment of an auction: `in` if its price is higher, or if it is equal and
 * everything that is bid at it or above can be bought; `at_margin` if it is equal and more is bid than can be bought; `out` if
 * its price is lower, and `below_floor` if it is lower than the floor, too.
 */
export type ClearingOutcome = "in" | "at_margin" | "out" | "below_floor";

/** The part of a stored commitment by which it counts. */
type Priced = Pick<CommitmentRecord, "priceTicks">;

/** A stored commitment with its class. */
export interface ClassedRecord<Record extends Priced = CommitmentRecord> {
  readonly record: Record;
  readonly countingClass: CountingClass;
}

/** A commitment with how it counts. */
export interface PositionEntry<Record extends Priced = CommitmentRecord> {
  readonly record: Record;
  /** Absent for an active commitment. */
  readonly notCounted?: NotCounted;
  /** Only for an active commitment of an auction. */
  readonly outcome?: ClearingOutcome;
}

/** The clearing of an auction. */
export interface Clearing {
  readonly tick: bigint;
  /** The active demand at `tick` or above, as in `TickNode`. It counts only if `clearingMatters`. */
  readonly demand: bigint;
}

/** The facts of a sale by which a commitment counts. */
export interface PositionFacts {
  readonly definition: Pick<SaleDefinition, "pricing" | "priceTick">;
  /** The counting classes whose commitments are active. */
  readonly active: readonly CountingClass[];
  /** Only in an auction. */
  readonly clearing?: Clearing;
}

/**
 * Whether the demand at the clearing price decides about one of the commitments: an active one has just that price, or the price is
 * the floor, at which perhaps nothing clears.
 */
export function clearingMatters(
  records: readonly ClassedRecord<Priced>[],
  active: readonly CountingClass[],
  clearingTick: bigint,
  pricing: SaleDefinition["pricing"],
): boolean {
  const isAtFloor = pricing.kind === "auction" && clearingTick === pricing.floorTicks;
  return records.some(
    ({ record, countingClass }) => (isAtFloor || record.priceTicks === clearingTick) && active.includes(countingClass),
  );
}

/** Whether the demand at an auction's floor or above is less than pays for the offer: then nothing clears, and the clearing tick is the floor. */
export function isUndersubscribed({ definition, clearing }: Pick<PositionFacts, "definition" | "clearing">): boolean {
  const { pricing, priceTick } = definition;
  if (pricing.kind !== "auction" || clearing === undefined || clearing.tick !== pricing.floorTicks) return false;
  return clearing.demand < clearing.tick * priceTick.numerator * pricing.offeredAmount;
}

/** Decides how a commitment counts, and what the clearing price means for it. */
export function positionEntry<Record extends Priced>(
  { record, countingClass }: ClassedRecord<Record>,
  facts: PositionFacts,
): PositionEntry<Record> {
  if (!facts.active.includes(countingClass)) {
    return { record, notCounted: countingClass < 0n ? "no_amount" : "refunded" };
  }
  const outcome = outcomeOf(record.priceTicks, facts);
  return outcome === undefined ? { record } : { record, outcome };
}

function outcomeOf(ticks: bigint, { definition, clearing }: PositionFacts): ClearingOutcome | undefined {
  const { pricing, priceTick } = definition;
  if (pricing.kind !== "auction" || clearing === undefined) return undefined;
  if (ticks < pricing.floorTicks) return "below_floor";
  if (ticks !== clearing.tick) return ticks > clearing.tick ? "in" : "out";
  const cost = clearing.tick * priceTick.numerator * pricing.offeredAmount;
  return clearing.demand <= cost ? "in" : "at_margin";
}
