import { hasEnded, type SalePhase } from "./phase.ts";
import type { SaleStage } from "./stage.ts";

/** State of a wallet's commitment as its look-up says it: what its price means, and later what was accepted. */
export type BidState =
  | "in"
  | "unrivalled"
  | "at_margin"
  | "out"
  | "below_floor"
  | "counts"
  | "pending"
  | "accepted"
  | "partly_accepted"
  | "not_accepted"
  | "over"
  | "refunded"
  | "no_amount"
  | "not_counted";

/** A wallet's commitment, with fields as public JSON names them. */
export interface BidFacts {
  readonly Counted: boolean;
  readonly NotCountedReason?: "refunded" | "no_amount";
  readonly ClearingOutcome?: "in" | "at_margin" | "out" | "below_floor";
  /** The wallet's own amount. */
  readonly amount: bigint;
  /** The part of it that the sale accepts; undefined where that isn't known of this commitment. */
  readonly accepted: bigint | undefined;
}

/** The sale at the moment of a look-up. */
export interface BidMoment {
  readonly phase: SalePhase;
  readonly stage: SaleStage | undefined;
  /** Whether less is bid than is for sale, so that nothing clears yet. */
  readonly isUndersubscribed: boolean;
}

/** Returns what a look-up says of a commitment. From the settlement on, that is what was accepted, and no longer what its price means. */
export function bidState(bid: BidFacts, { phase, isUndersubscribed }: BidMoment): BidState {
  if (!bid.Counted) return bid.NotCountedReason ?? "not_counted";
  const { accepted, amount, ClearingOutcome } = bid;
  // Until the sale is settled, what isn't accepted may still be.
  if (accepted !== undefined && (phase === "settled" || accepted > 0n)) return acceptedState(accepted, amount);
  if (phase === "settled") return "over";
  if (accepted !== undefined) return "pending";
  if (ClearingOutcome === "in" && isUndersubscribed) return "unrivalled";
  return ClearingOutcome ?? "counts";
}

function acceptedState(accepted: bigint, amount: bigint): BidState {
  if (accepted === 0n) return "not_accepted";
  return accepted < amount ? "partly_accepted" : "accepted";
}

/** How what a look-up says can still change. */
export type LookUpNote = "changes" | "cancelling" | "settling" | "settled" | "unsaid";

const MOVING: readonly BidState[] = ["in", "unrivalled", "at_margin", "out"];

/**
 * Returns how the states of a wallet's commitments can still change; undefined where nothing is to be said of that.
 *
 * @param isAcceptedKnown whether it is known what the sale accepts
 */
export function lookUpNote(
  states: readonly BidState[],
  { phase, stage }: BidMoment,
  isAcceptedKnown: boolean,
): LookUpNote | undefined {
  if (states.length === 0) return undefined;
  if (phase === "settled") return isAcceptedKnown ? "settled" : "unsaid";
  const moves = states.some((state) => MOVING.includes(state));
  if (!hasEnded(phase)) return moves ? "changes" : undefined;
  return moves && (stage === "closed" || stage === "cancellation") ? "cancelling" : "settling";
}
