// @ts-check
// The words about a wallet that is looked up. Runs in the browser and on the server, so that both say the same.

/**
 * @typedef {"evm" | "svm" | ""} WalletKind kind of a sale's wallets; empty where it isn't known
 * @typedef {"in" | "at_margin" | "out" | "counts" | "refunded" | "no_amount" | "not_counted"} BidState
 */

/** How an address reads. @type {Readonly<Record<WalletKind, { form: RegExp, hint: string }>>} */
const ADDRESSES = {
  evm: { form: /^0x[0-9a-fA-F]{40}$/, hint: "0x and 40 hexadecimal digits" },
  svm: { form: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, hint: "an address on Solana: 32 to 44 letters and digits" },
  "": {
    form: /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/,
    hint: "0x and 40 hexadecimal digits, or an address on Solana",
  },
};

export const UNKNOWN_WALLET =
  "This wallet has committed nothing to this sale. Check that it is the one you bid with. A new commitment appears here soon after the sale’s contract has it.";
export const CHANGES =
  "In or out can change with every bid until bidding ends. How much is accepted in the end is the contract’s rule.";
export const HAS_MORE = "The wallet has more commitments than are shown.";
export const DIFFERS =
  "The accepted amounts of all bidders don’t add up to the contract’s own total, so don’t rely on them.";
export const TOO_MANY = "Too many wallets are being looked up at the moment.";
export const UNREADABLE = "Wallets can’t be looked up at the moment.";
const UNCLEAR = "Enter the wallet’s address again.";

/** @type {Readonly<Record<BidState, { badge: string, detail: string, counted: string }>>} */
const STATES = {
  in: { badge: "In", detail: "Its price reaches the clearing price.", counted: "in" },
  at_margin: {
    badge: "At the margin",
    detail: "Its price is the clearing price, where more is bid than can be bought.",
    counted: "at the margin",
  },
  out: { badge: "Out", detail: "Its price is below the clearing price.", counted: "out" },
  counts: { badge: "Counts", detail: "It is in the sale’s figures.", counted: "in the sale’s figures" },
  refunded: { badge: "Refunded", detail: "It doesn’t count in the sale’s figures.", counted: "refunded" },
  no_amount: {
    badge: "Empty",
    detail: "Nothing is left in it, so it doesn’t count.",
    counted: "with nothing left in it",
  },
  not_counted: { badge: "Doesn’t count", detail: "It isn’t in the sale’s figures.", counted: "not counted" },
};

/** Returns what an address of a sale's wallets looks like. @param {WalletKind} kind */
export function addressHint(kind) {
  return ADDRESSES[kind].hint;
}

/**
 * Returns the name of the rule that an address breaks; undefined for one that may be right.
 *
 * @param {string} address
 * @param {WalletKind} kind
 */
export function brokenRule(address, kind) {
  if (address === "") return "required";
  return ADDRESSES[kind].form.test(address) ? undefined : "address.form";
}

/**
 * Returns what is wrong with a wallet, in words.
 *
 * @param {string} rule of the public read
 * @param {WalletKind} kind
 */
export function ruleText(rule, kind) {
  switch (rule) {
    case "required":
      return "Enter the wallet’s address.";
    case "address.form":
      return `The address isn’t one of this sale’s wallets: enter ${addressHint(kind)}.`;
    case "address.checksum":
      return "A character of the address is wrong: its upper and lower case letters are a checksum, which doesn’t fit. Copy it again.";
    default:
      return UNCLEAR;
  }
}

/** Returns why a wallet can't be looked up now. @param {number} status of the answer; 0 for none */
export function refusalText(status) {
  return status === 429 ? TOO_MANY : UNREADABLE;
}

/** @param {BidState} state */
export function bidStateTexts(state) {
  return STATES[state];
}

/**
 * Returns how many commitments are in which state, such as "3 commitments: 1 in, 2 out".
 *
 * @param {readonly BidState[]} states
 */
export function summaryText(states) {
  if (states.length === 0) return "No commitments";
  const names = /** @type {BidState[]} */ (Object.keys(STATES));
  const parts = names.flatMap((name) => {
    const count = states.filter((state) => state === name).length;
    return count === 0 ? [] : [`${count} ${STATES[name].counted}`];
  });
  return `${states.length} ${states.length === 1 ? "commitment" : "commitments"}: ${parts.join(", ")}`;
}
