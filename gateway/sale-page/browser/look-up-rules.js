// common/sale/state/bid-state.ts and common/chains/base/address-form.ts without types, made by `npm run generate`.

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

const MOVING = ["in", "unrivalled", "at_margin", "out"];

export function lookUpNote(states, { phase, stage }, isAcceptedKnown) {
  if (states.length === 0) return undefined;
  if (phase === "settled") return isAcceptedKnown ? "settled" : "unsaid";
  const moves = states.some((state) => MOVING.includes(state));
  if (!hasEnded(phase)) return moves ? "changes" : undefined;
  return moves && (stage === "closed" || stage === "cancellation") ? "cancelling" : "settling";
}

export const ADDRESS_FORMS = {
  evm: /^0x[0-9a-fA-F]{40}$/,
  svm: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
};
