// common/sale/state/bid-state.ts and common/sale/state/bid-forecast.ts and common/chains/base/address-form.ts without types, made by `npm run generate`.

import { hasEnded } from "./sale-rules.js";

export function bidState(bid, { phase, isUndersubscribed }) {
  if (!bid.Counted) return bid.NotCountedReason ?? "not_counted";
  const { accepted, amount, ClearingOutcome } = bid;
  if (accepted !== undefined && (phase === "settled" || accepted > 0n)) return acceptedState(accepted, amount);
  if (phase === "settled") return "over";
  if (accepted !== undefined) return "pending";
  if (ClearingOutcome === "in" && isUndersubscribed) return "unrivalled";
  return ClearingOutcome ?? "counts";
}

function acceptedState(accepted, amount) {
  if (accepted === 0n) return "not_accepted";
  return accepted < amount ? "partly_accepted" : "accepted";
}

export function walletBidStates({ bids, allocations, isWhole }, moment) {
  const known = isWhole && bids.length > 0 ? allocations : undefined;
  const each = bids.map((bid) => bidState({ ...bid, accepted: acceptedOf(bid, bids, known) }, moment));
  const accepted = known && sum(known.map((allocation) => allocation.accepted));
  const counted = bids.filter(({ Counted }) => Counted);
  if (accepted === undefined || counted.length === 0) return { each, together: undefined, accepted };
  const amount = sum(counted.map((bid) => bid.amount));
  return { each, together: bidState({ Counted: true, amount, accepted }, moment), accepted };
}

function acceptedOf({ entity }, bids, allocations) {
  if (allocations === undefined || bids.filter((bid) => bid.entity === entity).length > 1) return undefined;
  return sum(allocations.filter((allocation) => allocation.entity === entity).map(({ accepted }) => accepted));
}

function sum(amounts) {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

export const NOT_COUNTED = ["refunded", "no_amount", "not_counted"];
const MOVING = ["in", "unrivalled", "at_margin", "out"];

export function lookUpNote(states, { phase, stage }, isAcceptedKnown) {
  if (states.length === 0) return undefined;
  if (phase === "settled") return isAcceptedKnown ? "settled" : "unsaid";
  if (states.every((state) => NOT_COUNTED.includes(state))) return undefined;
  const moves = states.some((state) => MOVING.includes(state));
  if (!hasEnded(phase)) return moves ? "changes" : undefined;
  return moves && (stage === "closed" || stage === "cancellation") ? "cancelling" : "settling";
}

const BUYING = ["in", "unrivalled"];
const UNSURE = ["at_margin", "counts"];
const RETURNED = ["out", "below_floor"];

export function bidForecast(bids) {
  const counted = bids.filter(({ state }) => !NOT_COUNTED.includes(state));
  const amountOf = (states) =>
    counted.reduce((sum, { state, amount }) => (states.includes(state) ? sum + amount : sum), 0n);
  const isKnown = counted.every(({ state }) => [...BUYING, ...UNSURE, ...RETURNED].includes(state));
  if (counted.length === 0 || !isKnown) return undefined;
  const [buying, unsure, returned] = [amountOf(BUYING), amountOf(UNSURE), amountOf(RETURNED)];
  const spent = { least: buying, most: buying + unsure };
  const isPriced = counted.every(({ state }) => state !== "counts");
  return { spent, back: isPriced ? { least: returned, most: returned + unsure } : undefined };
}

export function isToBeRaised(state) {
  return state === "at_margin" || RETURNED.includes(state);
}

export const ADDRESS_FORMS = {
  evm: /^0x[0-9a-fA-F]{40}$/,
  svm: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
};
