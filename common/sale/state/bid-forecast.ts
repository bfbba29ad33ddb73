import { type BidState, NOT_COUNTED } from "./bid-state.ts";

/** A commitment of a wallet, with the wallet's own amount. */
export interface ForecastBid {
  readonly state: BidState;
  readonly amount: bigint;
}

/** A sum of money of which a part is sure. */
export interface SurePart {
  readonly least: bigint;
  readonly most: bigint;
}

/** The outcome of a wallet's bids if a sale ended as it is, in smallest payment units. */
export interface BidForecast {
  /** The money that buys. */
  readonly spent: SurePart;
  /** The money that comes back; undefined where no price says it. */
  readonly back: SurePart | undefined;
}

const BUYING: readonly BidState[] = ["in", "unrivalled"];
/** States in which the contract's own rule says how much of a bid buys. */
const UNSURE: readonly BidState[] = ["at_margin", "counts"];
const RETURNED: readonly BidState[] = ["out", "below_floor"];

/** Returns what would come of a wallet's bids; undefined where none counts, and once it is known what the sale accepts. */
export function bidForecast(bids: readonly ForecastBid[]): BidForecast | undefined {
  const counted = bids.filter(({ state }) => !NOT_COUNTED.includes(state));
  const amountOf = (states: readonly BidState[]) =>
    counted.reduce((sum, { state, amount }) => (states.includes(state) ? sum + amount : sum), 0n);
  const isKnown = counted.every(({ state }) => [...BUYING, ...UNSURE, ...RETURNED].includes(state));
  if (counted.length === 0 || !isKnown) return undefined;
  const [buying, unsure, returned] = [amountOf(BUYING), amountOf(UNSURE), amountOf(RETURNED)];
  const spent = { least: buying, most: buying + unsure };
  const isPriced = counted.every(({ state }) => state !== "counts");
  return { spent, back: isPriced ? { least: returned, most: returned + unsure } : undefined };
}

/** Whether a bid would have to be raised to buy for sure. */
export function isToBeRaised(state: BidState): boolean {
  return state === "at_margin" || RETURNED.includes(state);
}
