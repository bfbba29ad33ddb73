import type {
  EntitySetupState,
  FailureReason,
  PositionCommitment,
  SaleEligibility,
  TidemarkError,
} from "../../../client/index.ts";

/** A value of an answer: what it means, and what an application does. */
export interface AnswerText {
  readonly meaning: string;
  readonly advice: string;
}

/** The states of an entity's identity check. */
export const SETUP_TEXTS: Readonly<Record<EntitySetupState, AnswerText>> = {
  "not-started": {
    meaning: "The identity check hasn’t begun, or an approval has expired.",
    advice: "Send the user to Tidemark’s account page to begin it.",
  },
  "in-progress": {
    meaning: "The identity check waits for the user.",
    advice: "Send the user to Tidemark’s account page to go on with it.",
  },
  "ready-for-review": {
    meaning: "The identity check has all that it needs.",
    advice: "Say that it will be looked at; ask again later.",
  },
  "in-review": { meaning: "The identity check is under way.", advice: "Say so; ask again later." },
  failure: {
    meaning: "The identity check was refused. The user can mend it and begin again.",
    advice: "Send the user to Tidemark’s account page, where the reason is.",
  },
  "failure-final": {
    meaning: "The identity check was refused for good.",
    advice: "Say so. The user can’t take part with this entity.",
  },
  "technical-issue": {
    meaning: "The identity check couldn’t be finished.",
    advice: "Send the user to Tidemark’s account page to begin again.",
  },
  complete: { meaning: "The identity check was passed.", advice: "Look at SaleEligibility, then go on." },
};

/** Whether an entity may take part in the sale. */
export const ELIGIBILITY_TEXTS: Readonly<Record<SaleEligibility, string>> = {
  eligible: "It may take part in this sale.",
  "not-eligible": "It may not take part in this sale: its rules exclude it.",
  "unknown-setup-incomplete": "Whether it may take part isn’t known before the identity check is complete.",
};

/** The reasons for which there is no permit, in the order in which they are checked. */
export const REASON_TEXTS: Readonly<Record<FailureReason, AnswerText>> = {
  "sale-not-active": {
    meaning: "The sale isn’t open, its contract takes no bids, or taking part is off.",
    advice: "Wait for the sale.",
  },
  unknown: {
    meaning: "The identity check isn’t complete, or the sale’s rules exclude the entity.",
    advice: "Look at the entity’s EntitySetupState and SaleEligibility.",
  },
  "outside-time-window": {
    meaning: "The window in which the entity may bid isn’t open.",
    advice: "Try again later.",
  },
  "wallet-not-linked": {
    meaning: "The sale wants linked wallets and this one isn’t, or it belongs to another entity.",
    advice: "Let the user link it at Tidemark’s account page, or take another wallet.",
  },
  "max-wallets-used": {
    meaning: "The entity has used as many wallets as the sale allows.",
    advice: "Take a wallet that was used before.",
  },
  "wallet-risk": {
    meaning: "The wallet is on a deny list, or its screening failed.",
    advice: "Take another wallet.",
  },
  "requires-liveness": {
    meaning: "The sale wants the person to prove to be present.",
    advice: "Open LivenessCheckURL for the user, then ask again.",
  },
};

/** The meaning of the present clearing price for a commitment. */
const OUTCOME_TEXTS: Readonly<Record<NonNullable<PositionCommitment["ClearingOutcome"]>, string>> = {
  in: "In: its price is high enough at the present clearing price.",
  at_margin: "At the margin: its price is the clearing price, at which more is bid than can be bought.",
  out: "Out: its price is below the present clearing price.",
  below_floor: "Out: its price is below the auction’s floor.",
};

/** Says whether a commitment counts, and what the clearing price means for it. */
export function outcomeText({ NotCountedReason, ClearingOutcome }: PositionCommitment): string {
  if (NotCountedReason === "refunded") return "Doesn’t count: it was refunded.";
  if (NotCountedReason === "no_amount") return "Doesn’t count: it has no amount.";
  return ClearingOutcome === undefined ? "Counts." : OUTCOME_TEXTS[ClearingOutcome];
}

/** Returns what the reason in a refusal's details means; nothing where there is none. */
export function meaningOfError({ details }: TidemarkError): string[] {
  const text = Object.entries(REASON_TEXTS).find(([reason]) => reason === details["FailureReason"])?.[1];
  return text === undefined ? [] : [text.meaning, text.advice];
}
