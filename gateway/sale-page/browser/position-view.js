// @ts-check
// A wallet's commitments as a page shows them. Runs in the browser and on the server, so that both show the same.

import { fill } from "../../web/browser/message.js";
import { bidStateTexts, summaryText } from "./look-up-texts.js";
import { amountFigure, priceFigure } from "./numbers.js";
import { shortText } from "./row-texts.js";
import { timeText } from "./times.js";
import { texts } from "./words.js";

/**
 * @typedef {import("../../../client/sale.ts").Position} Position
 * @typedef {import("../../../client/sale.ts").PositionCommitment} PositionCommitment
 * @typedef {import("./figures.js").Figure} Figure
 * @typedef {import("./figures.js").Units} Units
 * @typedef {import("./look-up-texts.js").BidState} BidState
 *
 * @typedef {object} Bid a commitment of a wallet
 * @property {BidState} state
 * @property {string} badge the state in a word or two
 * @property {string} detail the state in a sentence
 * @property {Figure} amount of the wallet alone
 * @property {Figure} price
 * @property {string} time for machines
 * @property {string} moment the same for people
 * @property {Figure} id
 * @property {Figure} [whole] amount of all its wallets, where there are others
 *
 * @typedef {object} PositionView
 * @property {Figure} wallet
 * @property {string} summary
 * @property {readonly Bid[]} bids
 * @property {Figure} [accepted] what the sale accepts of the wallet, once that is known; absent where other pages have a part of it
 * @property {Figure} [paidBack] what it has paid back, where the contract says so; absent as `accepted`
 * @property {boolean} differs whether the accepted amounts of everybody don't add up to the contract's own total
 * @property {string} nextPage token of the next page; empty on the last one
 */

/** The states that other bids can change while bidding is open. @type {readonly BidState[]} */
const MOVING = ["in", "at_margin", "out"];

/**
 * @param {Position} position
 * @param {Units} units of the sale
 * @param {boolean} [isLater] whether it is a page after the first one
 * @returns {PositionView}
 */
export function positionView(position, units, isLater = false) {
  const { Wallet, Commitments, NextPageToken = "", AllocationsDiffer } = position;
  // Each page has the allocations of its own commitments: their sum isn't the wallet's.
  const Allocations = isLater || NextPageToken !== "" ? undefined : position.Allocations;
  const bids = Commitments.map((commitment) => bidOf(commitment, Wallet, units));
  const accepted = Allocations && amountFigure(sumOf(Allocations.map(({ AcceptedAmount }) => AcceptedAmount)), units);
  const paidBack = Allocations?.flatMap(({ RefundedAmount }) => RefundedAmount ?? []) ?? [];
  const summary = summaryText(bids.map(({ state }) => state));
  return {
    wallet: { text: shortText(Wallet), exact: Wallet },
    summary:
      accepted === undefined || bids.length === 0
        ? summary
        : fill(texts().lookUp.summaryAccepted, { summary, amount: accepted.text }),
    bids,
    ...(accepted && bids.length > 0 && { accepted }),
    ...(paidBack.length > 0 && { paidBack: amountFigure(sumOf(paidBack), units) }),
    differs: AllocationsDiffer === true,
    nextPage: NextPageToken,
  };
}

/** Whether other bids can change the state of one of these. @param {readonly Bid[]} bids */
export function isMoving(bids) {
  return bids.some(({ state }) => MOVING.includes(state));
}

/**
 * @param {PositionCommitment} commitment
 * @param {string} wallet
 * @param {Units} units
 * @returns {Bid}
 */
function bidOf(commitment, wallet, units) {
  const { CommitmentID, PriceNumerator, PriceDenominator, Amounts, CreatedAt } = commitment;
  const own = Amounts.filter(({ Wallet }) => Wallet === wallet);
  const state = stateOf(commitment);
  const { badge, detail } = bidStateTexts(state);
  return {
    state,
    badge,
    detail,
    amount: amountFigure(sumOf(own.map(({ Amount }) => Amount)), units),
    price: priceFigure(PriceNumerator, PriceDenominator, units),
    time: CreatedAt,
    moment: timeText(CreatedAt),
    id: { text: shortText(CommitmentID), exact: CommitmentID },
    ...(own.length < Amounts.length && { whole: amountFigure(sumOf(Amounts.map(({ Amount }) => Amount)), units) }),
  };
}

/**
 * @param {PositionCommitment} commitment
 * @returns {BidState}
 */
function stateOf({ Counted, NotCountedReason, ClearingOutcome }) {
  return Counted ? (ClearingOutcome ?? "counts") : (NotCountedReason ?? "not_counted");
}

/** @param {readonly string[]} amounts */
function sumOf(amounts) {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
}
