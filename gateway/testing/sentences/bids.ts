import { type BidFacts, type BidState, bidState, lookUpNote } from "../../../common/sale/state/bid-state.ts";
import { bidStateTexts, noteText, summaryText } from "../../sale-page/browser/look-up-texts.js";
import { combined, type Section } from "./table.ts";

const COUNTED = {
  "it counts": { Counted: true },
  "it is refunded": { Counted: false, NotCountedReason: "refunded" },
  "it has no amount": { Counted: false, NotCountedReason: "no_amount" },
  "it doesn't count": { Counted: false },
} as const;
const ACCEPTED = { "not known": undefined, nothing: 0n, "a part": 4n, all: 10n } as const;
const OUTCOMES = [undefined, "in", "at_margin", "out", "below_floor"] as const;
const PHASES = ["unknown", "upcoming", "open", "closed", "settled"] as const;

/** A wallet's bid: by what its price means, what is accepted of it and where the sale is. */
export const BID_SENTENCES: Section = {
  title: "A wallet’s bid",
  conditions: ["bid", "accepted", "outcome", "demand", "phase"],
  cases: combined(
    Object.keys(COUNTED) as (keyof typeof COUNTED)[],
    Object.keys(ACCEPTED) as (keyof typeof ACCEPTED)[],
    OUTCOMES,
    ["pays for the offer", "doesn't"] as const,
    PHASES,
  ).map(([counted, accepted, outcome, demand, phase]) => ({
    state: [counted, accepted, outcome ?? "none", demand, phase],
    say: () => {
      const bid: BidFacts = {
        ...COUNTED[counted],
        ...(outcome && { ClearingOutcome: outcome }),
        amount: 10n,
        accepted: ACCEPTED[accepted],
      };
      const state = bidState(bid, { phase, stage: undefined, isUndersubscribed: demand === "doesn't" });
      const { badge, detail } = bidStateTexts(state);
      return [badge, detail, summaryText([state])];
    },
  })),
};

const BIDS: Readonly<Record<string, readonly BidState[]>> = {
  none: [],
  "by price": ["in", "out"],
  "below the floor": ["below_floor"],
  "at a fixed price": ["counts"],
  refunded: ["refunded"],
};
const MOMENTS = {
  open: ["open", "commitment"],
  closed: ["closed", "closed"],
  "closed by announced times": ["closed", undefined],
  cancellation: ["closed", "cancellation"],
  settlement: ["closed", "settlement"],
  settled: ["settled", "done"],
} as const;

/** How what a look-up says can still change. */
export const NOTE_SENTENCES: Section = {
  title: "What can still change of a wallet’s bids",
  conditions: ["bids", "sale", "what is accepted"],
  cases: combined(
    Object.keys(BIDS),
    Object.keys(MOMENTS) as (keyof typeof MOMENTS)[],
    ["known", "not known"] as const,
  ).map(([bids, moment, accepted]) => ({
    state: [bids, moment, accepted],
    say: () => {
      const [phase, stage] = MOMENTS[moment];
      const states = BIDS[bids] ?? [];
      const note = lookUpNote(states, { phase, stage, isUndersubscribed: false }, accepted === "known");
      return [states.length === 0 ? summaryText(states) : "", note === undefined ? "" : noteText(note)];
    },
  })),
};
