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

/** Returns what is said of a commitment. From the settlement on, that is what was accepted, and no longer what its price means. */
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

/** A wallet in a sale, as far as it is known. */
export interface WalletBids {
  /** Its commitments, with what tells their entities apart. */
  readonly bids: readonly (Omit<BidFacts, "accepted"> & { readonly entity: string })[];
  /** The accepted amounts by entity; undefined where they aren't known. */
  readonly allocations: readonly { readonly entity: string; readonly accepted: bigint }[] | undefined;
  /** Whether these are all of its commitments: allocations come with the commitments that they belong to. */
  readonly isWhole: boolean;
}

/** The states of a wallet's commitments. Allocations that don't add up to the contract's own totals count too: that is said beside them. */
export interface WalletBidStates {
  /** The state of each commitment, in their order. */
  readonly each: readonly BidState[];
  /** The state of all that counts together, once it is known what the sale accepts. */
  readonly together: BidState | undefined;
  /** The accepted amount of all, where that is known. */
  readonly accepted: bigint | undefined;
}

/** Returns the states of a wallet's commitments. */
export function walletBidStates({ bids, allocations, isWhole }: WalletBids, moment: BidMoment): WalletBidStates {
  const known = isWhole && bids.length > 0 ? allocations : undefined;
  const each = bids.map((bid) => bidState({ ...bid, accepted: acceptedOf(bid, bids, known) }, moment));
  const accepted = known && sum(known.map((allocation) => allocation.accepted));
  const counted = bids.filter(({ Counted }) => Counted);
  if (accepted === undefined || counted.length === 0) return { each, together: undefined, accepted };
  const amount = sum(counted.map((bid) => bid.amount));
  return { each, together: bidState({ Counted: true, amount, accepted }, moment), accepted };
}

/** Returns the accepted amount of a commitment. The contract says it of an entity, so it is known where that has only this one. */
function acceptedOf(
  { entity }: WalletBids["bids"][number],
  bids: WalletBids["bids"],
  allocations: WalletBids["allocations"],
): bigint | undefined {
  if (allocations === undefined || bids.filter((bid) => bid.entity === entity).length > 1) return undefined;
  return sum(allocations.filter((allocation) => allocation.entity === entity).map(({ accepted }) => accepted));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** How what a look-up says can still change. */
export type LookUpNote = "changes" | "cancelling" | "settling" | "settled" | "unsaid";

/** States of commitments of which nothing will be accepted. */
export const NOT_COUNTED: readonly BidState[] = ["refunded", "no_amount", "not_counted"];
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
  if (states.every((state) => NOT_COUNTED.includes(state))) return undefined;
  const moves = states.some((state) => MOVING.includes(state));
  if (!hasEnded(phase)) return moves ? "changes" : undefined;
  return moves && (stage === "closed" || stage === "cancellation") ? "cancelling" : "settling";
}
