import type { Fraction } from "../definition/fraction.ts";
import type { AuctionPricing } from "../definition/sale.ts";
import { highestTicks, type TickWidth, tickWidth } from "../definition/tick-width.ts";
import { type ChildrenRequest, clearingTick } from "./clearing-price.ts";
import { type ClearingOutcome, positionEntry } from "./position.ts";
import { highestTick, type TickNode, ticksOfNode } from "./tick-node.ts";

/** The facts of an auction, by their names in public JSON, from which its rule follows. */
export interface AuctionFacts {
  readonly OfferedToken: { readonly Amount?: string };
  readonly FloorNumerator?: string;
  readonly FloorDenominator?: string;
  readonly IncrementNumerator?: string;
  readonly IncrementDenominator?: string;
  readonly PriceTickNumerator?: string;
  readonly PriceTickDenominator?: string;
  readonly WidePrices?: boolean;
  readonly ClearingRule?: string;
}

/** A level of the public demand, by the names of its JSON. */
export interface PublicLevel {
  readonly LowestPriceNumerator: string;
  readonly LowestPriceDenominator: string;
  readonly HighestPriceNumerator: string;
  readonly HighestPriceDenominator: string;
  readonly Amount: string;
}

/** An amount in smallest payment units, at a price in ticks. */
export interface TickBid {
  readonly ticks: bigint;
  readonly amount: bigint;
}

/** The demand of an auction: exact where each level is one price. */
export interface Book {
  readonly width: TickWidth;
  readonly pricing: AuctionPricing;
  readonly priceTick: Fraction;
  readonly levels: readonly { readonly lowestTick: bigint; readonly highestTick: bigint; readonly amount: bigint }[];
}

/** Two bounds, both of which may be true; the same where the figure is known exactly. */
export interface Bounds {
  readonly least: bigint;
  readonly most: bigint;
}

/** The outcome of a bid that is only tried. */
export interface WhatIf {
  /** The clearing price with the bid, in ticks. */
  readonly clearing: Bounds;
  /** The meanings of the clearing price for the bid: several where the levels don't decide it. */
  readonly outcomes: readonly ClearingOutcome[];
  /**
   * Smallest units of the offered token, never more than are offered. At the margin it is the contract's rule who gets what is left, so
   * none of it is sure.
   */
  readonly tokens: Bounds;
}

/** The clearing of one book, and what it means for the bid that is tried. */
interface Cleared {
  readonly bids: readonly TickBid[];
  readonly clearing: bigint;
  readonly outcome: ClearingOutcome;
}

/**
 * Makes the book of an auction from its public facts and demand; undefined where a fact isn't known or doesn't fit the others, and for a
 * rule whose bids may have a demand that isn't their amount: nobody knows that of a bid before its contract has it.
 */
export function bookOf(facts: AuctionFacts, levels: readonly PublicLevel[]): Book | undefined {
  if (facts.ClearingRule !== undefined) return undefined;
  const { PriceTickNumerator = "0", PriceTickDenominator = "0", OfferedToken } = facts;
  const priceTick = { numerator: BigInt(PriceTickNumerator), denominator: BigInt(PriceTickDenominator) };
  const offeredAmount = BigInt(OfferedToken.Amount ?? 0);
  if (priceTick.numerator === 0n || priceTick.denominator === 0n || offeredAmount === 0n) return undefined;
  const ticks = (numerator = "0", denominator = "0") => exactTicks(BigInt(numerator), BigInt(denominator), priceTick);
  const floorTicks = ticks(facts.FloorNumerator, facts.FloorDenominator);
  const incrementTicks = ticks(facts.IncrementNumerator, facts.IncrementDenominator);
  if (floorTicks === undefined || incrementTicks === undefined || incrementTicks === 0n) return undefined;
  const read = levels.flatMap((level) => {
    const lowestTick = ticks(level.LowestPriceNumerator, level.LowestPriceDenominator);
    const highestTick = ticks(level.HighestPriceNumerator, level.HighestPriceDenominator);
    return lowestTick === undefined || highestTick === undefined
      ? []
      : [{ lowestTick, highestTick, amount: BigInt(level.Amount) }];
  });
  if (read.length < levels.length) return undefined;
  const pricing = { kind: "auction", offeredAmount, floorTicks, incrementTicks } as const;
  return { width: tickWidth({ widePrices: facts.WidePrices }), pricing, priceTick, levels: read };
}

/** Returns a price in ticks; undefined where it is none that a bid can have. */
function exactTicks(numerator: bigint, denominator: bigint, priceTick: Fraction): bigint | undefined {
  const [above, below] = [numerator * priceTick.denominator, denominator * priceTick.numerator];
  return below === 0n || above % below !== 0n ? undefined : above / below;
}

/** Returns the highest price in ticks that isn't above a price. @param price smallest payment units for a smallest offered unit */
export function ticksAtMost({ numerator, denominator }: Fraction, priceTick: Fraction): bigint {
  return (numerator * priceTick.denominator) / (denominator * priceTick.numerator);
}

/**
 * Returns what would come of a bid that is added to a book, by the rule with which the sale itself clears.
 *
 * @param bid at the highest number of ticks of the book's width or less: what is bid above can't be stored, and is in no tree that the search goes through
 * @param others bids that are added besides, as high at most
 */
export function whatIf(book: Book, bid: TickBid, others: readonly TickBid[] = []): WhatIf {
  const [lowest, highest] = inBoundingBooks(book, (bids) => outcomeIn(book, [...bids, bid, ...others], bid));
  return {
    clearing: { least: lowest.clearing, most: highest.clearing },
    outcomes: [...new Set([lowest.outcome, highest.outcome])],
    tokens: { least: leastTokens(book, bid, lowest.clearing, highest), most: mostTokens(book, bid, lowest) },
  };
}

/** Returns the bid that is as much again as is bid at an auction's floor or more, just above a price. */
export function asMuchAgainAbove({ width, pricing, levels }: Book, ticks: bigint): TickBid {
  const counted = levels.filter((level) => level.highestTick >= pricing.floorTicks);
  return {
    ticks: lesser(ticks + pricing.incrementTicks, highestTicks(width)),
    amount: sum(counted.map(({ amount }) => amount)),
  };
}

/**
 * Returns the lowest price at which an auction can clear and at which some bids of a book would be in, if they were all raised to it;
 * undefined where there is none, or where the book doesn't have them.
 */
export function lowestPriceIn(book: Book, bids: readonly TickBid[]): Bounds | undefined {
  const rest = without(book, bids);
  if (rest === undefined) return undefined;
  const amount = sum(bids.map((bid) => bid.amount));
  const highest = highestTicks(book.width);
  const [least, most] = inBoundingBooks(rest, (others) => {
    const all = [...others, { ticks: highest, amount }];
    const clearing = clearingOf(book, all);
    const isIn = outcomeAt(book, all, clearing, clearing) === "in";
    return isIn ? clearing : clearing + book.pricing.incrementTicks;
  });
  return most > highest ? undefined : { least, most };
}

/** Returns a book without some of its bids; undefined where it doesn't have them. */
function without(book: Book, bids: readonly TickBid[]): Book | undefined {
  const amounts = book.levels.map(({ amount }) => amount);
  for (const { ticks, amount } of bids) {
    const at = book.levels.findIndex(({ lowestTick, highestTick }) => lowestTick <= ticks && ticks <= highestTick);
    amounts[at] = (amounts[at] ?? 0n) - amount;
    if (at < 0 || (amounts[at] ?? 0n) < 0n) return undefined;
  }
  return { ...book, levels: book.levels.map((level, index) => ({ ...level, amount: amounts[index] ?? 0n })) };
}

/**
 * Returns what is made of the two books of single prices between which the real one is: all of a level at its lowest price, and at its
 * highest; twice of the same where each level is one price. The real demand at any price or above is between theirs, so the real clearing
 * price is, too: the more is bid at a price or above, the higher an auction clears.
 */
function inBoundingBooks<Made>({ levels }: Book, make: (bids: readonly TickBid[]) => Made): readonly [Made, Made] {
  const lowest = make(levels.map(({ lowestTick, amount }) => ({ ticks: lowestTick, amount })));
  if (levels.every(({ lowestTick, highestTick }) => lowestTick === highestTick)) return [lowest, lowest];
  return [lowest, make(levels.map(({ highestTick, amount }) => ({ ticks: highestTick, amount })))];
}

function outcomeIn(book: Book, bids: readonly TickBid[], bid: TickBid): Cleared {
  const clearing = clearingOf(book, bids);
  return { bids, clearing, outcome: outcomeAt(book, bids, clearing, bid.ticks) };
}

/** Returns the tick at which bids clear: the sale's own search runs over them in place of its stored tree. */
export function clearingOf(
  { width, pricing, priceTick }: Pick<Book, "width" | "pricing" | "priceTick">,
  bids: readonly TickBid[],
): bigint {
  const search = clearingTick(pricing, priceTick, width);
  let step = search.next();
  while (step.done !== true) step = search.next(childrenOf(width, bids, step.value));
  return step.value;
}

/** Returns the children of a node of the tree that a sale has of these bids. */
function childrenOf(
  width: TickWidth,
  bids: readonly TickBid[],
  { level, lowestTick }: ChildrenRequest,
): readonly TickNode[] {
  const end = highestTick(width, { level: level - 1, lowestTick });
  const ticksOfChild = ticksOfNode(width, level);
  const amounts = new Map<bigint, bigint>();
  for (const { ticks, amount } of bids) {
    const start = ticks - (ticks % ticksOfChild);
    if (ticks >= lowestTick && ticks <= end) amounts.set(start, (amounts.get(start) ?? 0n) + amount);
  }
  return [...amounts].map(([start, amount]) => ({ level, lowestTick: start, amount }));
}

function outcomeAt({ pricing, priceTick }: Book, bids: readonly TickBid[], clearing: bigint, ticks: bigint) {
  const facts = {
    definition: { pricing, priceTick },
    active: [0n],
    clearing: { tick: clearing, demand: demandAt(bids, clearing) * priceTick.denominator },
  };
  const { outcome = "out" } = positionEntry({ record: { priceTicks: ticks }, countingClass: 0n }, facts);
  return outcome;
}

/**
 * Returns the tokens that a bid gets for sure: none where it is only at the margin, or at a price of nothing. The step of the grid can leave
 * more above the clearing price than can be bought there: then a bid has its share of the offer. That share is smallest with the most
 * that can be bid above the lowest clearing price, which is in no single book, and what an amount buys is least at the highest.
 */
function leastTokens({ pricing, priceTick }: Book, { amount }: TickBid, lowestClearing: bigint, highest: Cleared) {
  if (highest.outcome !== "in" || lowestClearing === 0n) return 0n;
  const bought = (amount * priceTick.denominator) / (highest.clearing * priceTick.numerator);
  const above = demandAt(highest.bids, lowestClearing + 1n);
  return above === 0n ? bought : lesser(bought, (amount * pricing.offeredAmount) / above);
}

/** Returns the most tokens that a bid can get: what it buys at the lowest clearing price, but not more than are left there. */
function mostTokens({ pricing, priceTick }: Book, { amount }: TickBid, { bids, clearing, outcome }: Cleared): bigint {
  if (outcome === "out" || outcome === "below_floor") return 0n;
  const price = clearing * priceTick.numerator;
  if (price === 0n) return pricing.offeredAmount;
  const buys = (paid: bigint) => (paid * priceTick.denominator) / price;
  const taken = outcome === "at_margin" ? buys(demandAt(bids, clearing + 1n)) : 0n;
  return greater(0n, lesser(buys(amount), pricing.offeredAmount - taken));
}

function demandAt(bids: readonly TickBid[], ticks: bigint): bigint {
  return sum(bids.flatMap((bid) => (bid.ticks >= ticks ? bid.amount : [])));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

// Not `Math.min`, which takes no bigint.
function lesser(one: bigint, other: bigint): bigint {
  if (one < other) return one;
  return other;
}

function greater(one: bigint, other: bigint): bigint {
  if (one > other) return one;
  return other;
}
