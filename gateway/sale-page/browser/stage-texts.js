// @ts-check
// A sale's stage in words. Runs in the browser and on the server, so that both say the same.

import { hasBiddingEnded } from "./sale-rules.js";
import { texts } from "./words.js";

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

/** The names of a stage's texts: its title, and what one can do. */
const NAMES = /** @type {const} */ ({
  auction: {
    pre_open: ["preOpen", "bidPreOpenText"],
    commitment: ["bid", "bidText"],
    closed: ["bidClosed", "bidClosedText"],
    cancellation: ["canceling", "bidCancelingText"],
    settlement: ["settling", "settlingText"],
    done: ["done", "doneText"],
  },
  fixed: {
    pre_open: ["preOpen", "commitPreOpenText"],
    commitment: ["open", "commitText"],
    closed: ["commitClosed", "commitClosedText"],
    cancellation: ["canceling", "commitCancelingText"],
    settlement: ["settling", "settlingText"],
    done: ["done", "doneText"],
  },
});

/**
 * Returns in a word whether one can take part. The contract's stage says that, as far as it is known.
 *
 * @param {Pick<StagedSale, "Status" | "Stage">} sale
 * @returns {StatusText}
 */
export function statusOf({ Status, Stage = "commitment" }) {
  const { status } = texts();
  if (Status === undefined) return { name: "unknown", text: status.unknown };
  if (Status === "settled") return { name: "settled", text: status.settled };
  if (Stage === "pre_open") return { name: "upcoming", text: status.upcoming };
  return hasBiddingEnded(Stage) ? { name: "closed", text: status.closed } : { name: "open", text: status.open };
}

/**
 * @param {StagedSale} sale
 * @returns {StageTexts}
 */
export function stageTexts({ Status, Stage, Pricing }) {
  const { stage } = texts();
  const names = Stage && NAMES[Pricing][Stage];
  if (names) return { title: stage[names[0]], text: stage[names[1]] };
  // For sales without a contract, or whose contract's stage isn't known.
  if (Status === undefined) return { title: stage.unknown, text: "" };
  return { title: Status === "settled" ? stage.over : stage.open, text: "" };
}
