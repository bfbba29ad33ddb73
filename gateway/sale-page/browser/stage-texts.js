// @ts-check
// Where a sale is, in words. Runs in the browser and on the server, so that both say the same.

import { saleState } from "./sale-rules.js";
import { texts } from "./words.js";

/**
 * @typedef {import("../../../common/sale/state/phase.ts").SaleState} SaleState
 * @typedef {import("../../../common/sale/state/timeline.ts").TimelineFacts & Pick<import("../../../client/sale.ts").SaleFacts, "Pricing" | "ClearingRule">} StagedSale
 *
 * @typedef {object} StageTexts
 * @property {SaleState["phase"]} phase
 * @property {string} status the phase in a word
 * @property {string} title
 * @property {string} text what one can do; empty where that isn't known
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

/** The name of a phase's title where no contract's stage is known. */
const TITLES = /** @type {const} */ ({
  auction: { unknown: "unknown", upcoming: "preOpen", open: "open", closed: "bidClosed", settled: "over" },
  fixed: { unknown: "unknown", upcoming: "preOpen", open: "open", closed: "commitClosed", settled: "over" },
});

/**
 * Returns where a sale is, in words.
 *
 * @param {StagedSale} sale
 * @param {number} now in milliseconds since 1970
 * @returns {StageTexts}
 */
export function stageTexts(sale, now) {
  const { phase, isAnnounced } = saleState(sale, now);
  const { status, stage } = texts();
  const known = { phase, status: status[phase] };
  const names = sale.Stage && isAt(phase, sale.Stage) && NAMES[sale.Pricing][sale.Stage];
  // A bid of an auction that clears by who isn't outbid stays as it was made.
  const isOnce = sale.Stage === "commitment" && sale.ClearingRule !== undefined;
  if (names) return { ...known, title: stage[names[0]], text: isOnce ? stage.bidOnceText : stage[names[1]] };
  return { ...known, title: stage[TITLES[sale.Pricing][phase]], text: isAnnounced ? stage.announced : "" };
}

/**
 * Whether a contract's stage is part of a phase. A founder may settle a sale at another stage.
 *
 * @param {SaleState["phase"]} phase
 * @param {NonNullable<StagedSale["Stage"]>} stage
 */
function isAt(phase, stage) {
  return phase === "settled" ? stage === "done" : phase !== "unknown";
}
