// @ts-check
// The words about a wallet that is looked up. Runs in the browser and on the server, so that both say the same.

import { fill, fillCounted } from "../../web/browser/message.js";
import { ADDRESS_FORMS } from "./look-up-rules.js";
import { countText } from "./numbers.js";

import { language, texts } from "./words.js";

/**
 * @typedef {"evm" | "svm" | ""} WalletKind kind of a sale's wallets; empty where it isn't known
 * @typedef {import("../../../common/sale/state/bid-state.ts").BidState} BidState
 */

/** The name of the text that says what an address looks like. */
const HINTS = /** @type {const} */ ({ evm: "formEvm", svm: "formSvm", "": "formAny" });

/** The names of a state's texts: in a word, in a sentence, and counted. In the order of a summary. */
const STATES = /** @type {const} */ ({
  accepted: ["accepted", "acceptedDetail", "acceptedCount"],
  partly_accepted: ["partly", "partlyDetail", "partlyCount"],
  not_accepted: ["notAccepted", "notAcceptedDetail", "notAcceptedCount"],
  pending: ["pending", "pendingDetail", "pendingCount"],
  over: ["over", "overDetail", "overCount"],
  in: ["in", "inDetail", "inCount"],
  unrivalled: ["in", "unrivalledDetail", "inCount"],
  at_margin: ["margin", "marginDetail", "marginCount"],
  out: ["out", "outDetail", "outCount"],
  below_floor: ["belowFloor", "belowFloorDetail", "belowFloorCount"],
  counts: ["counts", "countsDetail", "countsCount"],
  refunded: ["refunded", "refundedDetail", "refundedCount"],
  no_amount: ["empty", "emptyDetail", "emptyCount"],
  not_counted: ["uncounted", "uncountedDetail", "uncountedCount"],
});

/** Returns what an address of a sale's wallets looks like. @param {WalletKind} kind */
export function addressHint(kind) {
  return texts().lookUp[HINTS[kind]];
}

/**
 * Returns the name of the rule that an address breaks; undefined for one that may be right.
 *
 * @param {string} address
 * @param {WalletKind} kind
 */
export function brokenRule(address, kind) {
  if (address === "") return "required";
  const forms = kind ? [ADDRESS_FORMS[kind]] : Object.values(ADDRESS_FORMS);
  return forms.some((form) => form.test(address)) ? undefined : "address.form";
}

/**
 * Returns what is wrong with a wallet, in words.
 *
 * @param {string} rule of the public read
 * @param {WalletKind} kind
 */
export function ruleText(rule, kind) {
  const { lookUp } = texts();
  switch (rule) {
    case "required":
      return lookUp.missing;
    case "address.form":
      return fill(lookUp.wrongForm, { form: addressHint(kind) });
    case "address.checksum":
      return lookUp.checksum;
    default:
      return lookUp.unclear;
  }
}

/** Returns why a wallet can't be looked up now. @param {number} status of the answer; 0 for none */
export function refusalText(status) {
  const { tooMany, unreadable } = texts().lookUp;
  return status === 429 ? tooMany : unreadable;
}

/** @param {BidState} state */
export function bidStateTexts(state) {
  const { bid } = texts();
  const [badge, detail] = STATES[state];
  return { badge: bid[badge], detail: bid[detail] };
}

/** Returns how what a look-up says can still change. @param {import("../../../common/sale/state/bid-state.ts").LookUpNote} note */
export function noteText(note) {
  const { changes, cancelling, settling, settled, unsaid } = texts().lookUp;
  return { changes, cancelling, settling, settled, unsaid }[note];
}

/**
 * Returns how many commitments are in which state, such as "3 commitments: 1 in, 2 out".
 *
 * @param {readonly BidState[]} states
 */
export function summaryText(states) {
  const { bid, lookUp } = texts();
  if (states.length === 0) return lookUp.none;
  const names = /** @type {BidState[]} */ (Object.keys(STATES));
  const parts = names.flatMap((name) => {
    const count = states.filter((state) => state === name).length;
    return count === 0 ? [] : [fill(bid[STATES[name][2]], { count: countText(BigInt(count), language()) })];
  });
  return fillCounted(lookUp.summary, states.length, language(), { parts: parts.join(", ") });
}
