// @ts-check
// A sale's stage in words. Runs in the browser and on the server, so that both say the same.

/**
 * @typedef {import("../../../client/sale.ts").SaleFacts} SaleFacts
 * @typedef {Pick<SaleFacts, "Stage" | "Pricing"> & { readonly Status?: SaleFacts["Status"] }} StagedSale
 *
 * @typedef {object} StageTexts
 * @property {string} title
 * @property {string} text what one can do; empty where that isn't known
 *
 * @typedef {object} StatusText
 * @property {"upcoming" | "open" | "closed" | "settled" | "unknown"} name
 * @property {string} text
 */

/** @type {Readonly<Record<"auction" | "fixed", Readonly<Record<NonNullable<SaleFacts["Stage"]>, StageTexts>>>>} */
const TEXTS = {
  auction: {
    pre_open: { title: "Not open yet", text: "Nobody can bid yet." },
    commitment: { title: "Bidding is open", text: "You can bid, and raise your bid as long as bidding is open." },
    closed: { title: "Bidding has closed", text: "No bid can be made or raised any more. Cancelling comes next." },
    cancellation: { title: "Time to cancel", text: "Bidding is over. Whoever has bid can still cancel." },
    settlement: {
      title: "Being settled",
      text: "Who gets how much is being worked out. Nothing can be changed any more.",
    },
    done: { title: "Settled", text: "The sale is over. What was not accepted is paid back by its contract." },
  },
  fixed: {
    pre_open: { title: "Not open yet", text: "Nobody can commit yet." },
    commitment: { title: "The sale is open", text: "You can commit, and add to it as long as the sale is open." },
    closed: { title: "The sale has closed", text: "Nobody can commit any more. Cancelling comes next." },
    cancellation: {
      title: "Time to cancel",
      text: "Nobody can commit any more. Whoever has committed can still cancel.",
    },
    settlement: {
      title: "Being settled",
      text: "Who gets how much is being worked out. Nothing can be changed any more.",
    },
    done: { title: "Settled", text: "The sale is over. What was not accepted is paid back by its contract." },
  },
};
/** The stages in which nobody can take part any more, all that come after commitment. */
const CLOSED = ["closed", "cancellation", "settlement", "done"];
/** The texts about an open sale whose contract's stage isn't known, or that has no contract. */
const OPEN = { title: "The sale is open", text: "" };
const SETTLED = { title: "The sale is over", text: "" };
const UNKNOWN = { title: "Token sale", text: "" };

/**
 * Returns in a word whether one can take part. The contract's stage says that, as far as it is known.
 *
 * @param {Pick<StagedSale, "Status" | "Stage">} sale
 * @returns {StatusText}
 */
export function statusOf({ Status, Stage = "commitment" }) {
  if (Status === undefined) return { name: "unknown", text: "Status unknown" };
  if (Status === "settled") return { name: "settled", text: "Settled" };
  if (Stage === "pre_open") return { name: "upcoming", text: "Upcoming" };
  return CLOSED.includes(Stage) ? { name: "closed", text: "Closed" } : { name: "open", text: "Open" };
}

/**
 * @param {StagedSale} sale
 * @returns {StageTexts}
 */
export function stageTexts({ Status, Stage, Pricing }) {
  if (Stage !== undefined) return TEXTS[Pricing][Stage] ?? OPEN;
  if (Status === undefined) return UNKNOWN;
  return Status === "settled" ? SETTLED : OPEN;
}
