// common/sale/state/bidding.ts and common/sale/state/phase.ts and common/sale/words/currency.ts and common/sale/words/feed-fault.ts without types, made by `npm run generate`.

const AFTER_BIDDING = ["closed", "cancellation", "settlement", "done"];

export function hasBiddingEnded(stage) {
  return AFTER_BIDDING.includes(stage);
}

export function saleState(facts, now) {
  const [phase, isAnnounced] = phaseOf(facts, now);
  return { phase, isAnnounced };
}

export function hasEnded(phase) {
  return phase === "closed" || phase === "settled";
}

function phaseOf({ Status, Stage, OpensAt, ClosesAt }, now) {
  if (Status !== "open" || Stage === "done") return [Status === undefined ? "unknown" : "settled", false];
  if (Stage !== undefined) return [phaseAt(Stage), false];
  if (ClosesAt && now >= Date.parse(ClosesAt)) return ["closed", true];
  if (OpensAt) return [now < Date.parse(OpensAt) ? "upcoming" : "open", true];
  return ["open", ClosesAt !== undefined];
}

function phaseAt(stage) {
  if (stage === "pre_open") return "upcoming";
  return hasBiddingEnded(stage) ? "closed" : "open";
}

export function commonCurrency(tokens) {
  const [first, ...others] = tokens;
  return {
    dollars: tokens.length > 0 && tokens.every(({ usdStablecoin }) => usdStablecoin),
    symbol: others.every(({ symbol }) => symbol === first?.symbol) ? (first?.symbol ?? "") : "",
  };
}

export const FEED_FAULTS = {
  unreadable: "The sale's contract can't be read at the moment.",
  late: "Reading the sale's contract takes longer than usual.",
  noIndexer: "The sale's contract isn't being read at the moment.",
  unreachable: "The sale's figures can't be brought up to date at the moment.",
  different: "The accepted amounts don't add up to the total that the sale's contract says.",
};

export function feedFaultNamed(sentence) {
  return Object.keys(FEED_FAULTS).find((name) => FEED_FAULTS[name] === sentence);
}
