// @ts-check
// A wallet's commitments as a page shows them. Runs in the browser and on the server, so that both show the same.

import { fill } from "../../web/browser/message.js";
import { perToken } from "./figures.js";
import { forecastOutcomes } from "./forecast-view.js";
import { lookUpNote, walletBidStates } from "./look-up-rules.js";
import { bidStateTexts, noteText, summaryText } from "./look-up-texts.js";
import { amountFigure, priceFigure } from "./numbers.js";
import { offeredFigure } from "./offer.js";
import { shortText } from "./row-texts.js";
import { hasEnded, saleState } from "./sale-rules.js";
import { timeText } from "./times.js";
import { texts } from "./words.js";

/**
 * @typedef {import("../../../client/sale.ts").Position} Position
 * @typedef {import("../../../client/sale.ts").PositionCommitment} PositionCommitment
 * @typedef {import("../../../client/sale.ts").SaleFacts} SaleFacts
 * @typedef {import("../../../common/sale/state/bid-state.ts").BidMoment} BidMoment
 * @typedef {import("../../../common/sale/state/bid-state.ts").BidState} BidState
 * @typedef {import("./figures.js").Figure} Figure
 * @typedef {import("./figures.js").Units} Units
 *
 * @typedef {object} LookedUpSale the sale of a wallet, and when it is looked at
 * @property {import("../../../common/sale/state/phase.ts").PhaseFacts & import("./forecast-view.js").ForecastSale["facts"]} facts
 * @property {Units} units
 * @property {number} now in milliseconds since 1970
 * @property {import("./forecast-view.js").ForecastSale["levels"]} [levels] the demand, where it is known
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
 * @typedef {import("./forecast-view.js").Outcome} Outcome
 *
 * @typedef {object} SoldPrice smallest payment units for a smallest offered unit, as digits
 * @property {string} numerator
 * @property {string} denominator
 *
 * @typedef {object} PositionView
 * @property {Figure} wallet
 * @property {string} summary
 * @property {readonly Bid[]} bids
 * @property {string} none why there are no bids; empty where there are some
 * @property {string} note how all this can still change; empty where that isn't to be said
 * @property {readonly Outcome[]} outcomes what the sale accepts of the wallet, or would if it ended now; empty where other pages have a
 *   part of it
 * @property {boolean} differs whether the accepted amounts of everybody don't add up to the contract's own total
 * @property {string} nextPage token of the next page; empty on the last one
 */

/** Whether the demand says what it would take for a wallet's commitments to be in. @param {Position} position */
export function needsDemand({ Commitments }) {
  return Commitments.some(({ ClearingOutcome = "in" }) => ClearingOutcome !== "in");
}

/**
 * @param {Position} position
 * @param {LookedUpSale} sale
 * @param {boolean} [isLater] whether it is a page after the first one
 * @returns {PositionView}
 */
export function positionView(position, sale, isLater = false) {
  const { Wallet, Commitments, NextPageToken = "", AllocationsDiffer } = position;
  const moment = momentOf(position, sale);
  const isWhole = !isLater && NextPageToken === "";
  const units = { ...sale.units, payment: position.PaymentTokenDecimals };
  const { each: states, accepted } = walletBidStates(bidsOf(position, isWhole), moment);
  const token = sale.facts.OfferedToken;
  const bids = Commitments.map((commitment, index) => {
    const bid = bidOf(commitment, position, units, states[index] ?? "counts");
    const exit = exitText(commitment.Exit, units, token);
    return exit === "" ? bid : { ...bid, detail: `${bid.detail} ${exit}` };
  });
  const summary = summaryText(states);
  const { lookUp } = texts();
  const note = lookUpNote(states, moment, position.Allocations !== undefined);
  return {
    wallet: { text: shortText(Wallet), exact: Wallet },
    summary:
      accepted === undefined
        ? summary
        : fill(lookUp.summaryAccepted, { summary, amount: amountFigure(accepted, units).text }),
    bids,
    none: bids.length > 0 ? "" : [lookUp.unknown, ...(hasEnded(moment.phase) ? [] : [lookUp.unknownSoon])].join(" "),
    note: note === undefined ? "" : noteText(note),
    outcomes:
      accepted === undefined
        ? forecastOf(position, isWhole ? states : [], { ...sale, units })
        : outcomesOf(position, accepted, { ...sale, units }, moment),
    differs: AllocationsDiffer === true,
    nextPage: NextPageToken,
  };
}

/**
 * Returns where the sale is: by what came with the position, which is of the same moment, or of an older service by the page.
 *
 * @param {Position} position
 * @param {LookedUpSale} sale
 * @returns {BidMoment}
 */
function momentOf({ Status, Stage, Undersubscribed }, { facts, now }) {
  const { Status: pageStatus, Stage: pageStage, ...times } = facts;
  const [status, stage] = Status === undefined ? [pageStatus, pageStage] : [Status, Stage];
  const { phase } = saleState({ ...times, ...(status && { Status: status }), ...(stage && { Stage: stage }) }, now);
  return { phase, stage, isUndersubscribed: Undersubscribed === true };
}

/**
 * @param {Position} position
 * @param {boolean} isWhole
 * @returns {import("../../../common/sale/state/bid-state.ts").WalletBids}
 */
function bidsOf({ Commitments, Allocations, Wallet }, isWhole) {
  const bids = Commitments.map((each) => ({
    ...each,
    entity: each.SaleSpecificEntityID,
    amount: sumOf(ownAmounts(each, Wallet)),
  }));
  const allocations = Allocations?.map((each) => ({
    entity: each.SaleSpecificEntityID,
    accepted: BigInt(each.AcceptedAmount),
  }));
  return { bids, allocations, isWhole };
}

/**
 * @param {Position} position
 * @param {readonly BidState[]} states of its commitments; empty where other pages have some
 * @param {LookedUpSale} sale
 */
function forecastOf(position, states, { facts, units, levels }) {
  const bids = states.map((state, index) => {
    const commitment = /** @type {PositionCommitment} */ (position.Commitments[index]);
    const price = {
      numerator: BigInt(commitment.PriceNumerator),
      denominator: BigInt(commitment.PriceDenominator),
    };
    const whole = sumOf(commitment.Amounts.map(({ Amount }) => Amount));
    return { state, amount: sumOf(ownAmounts(commitment, position.Wallet)), whole, price };
  });
  return forecastOutcomes(bids, priceOf(position), { facts, units, levels });
}

/**
 * Returns what the sale accepts of a wallet, and once it is settled what not, and for which price.
 *
 * @param {Position} position
 * @param {bigint} accepted
 * @param {LookedUpSale} sale
 * @param {BidMoment} moment
 * @returns {Outcome[]}
 */
function outcomesOf(position, accepted, { facts, units }, moment) {
  const { Allocations = [], Commitments, Wallet } = position;
  const { label, lookUp, tile } = texts();
  const amount = (/** @type {string} */ name, /** @type {bigint} */ value) => ({
    label: name,
    figure: amountFigure(value, units),
  });
  const refunds = Allocations.flatMap(({ RefundedAmount }) => RefundedAmount ?? []);
  const refunded = sumOf(refunds);
  if (moment.phase !== "settled") {
    return [amount(lookUp.accepted, accepted), ...(refunded > 0n ? [amount(lookUp.repaid, refunded)] : [])];
  }
  const rest = sumOf(Commitments.flatMap((each) => (each.Counted ? ownAmounts(each, Wallet) : []))) - accepted;
  const price = priceOf(position);
  const per = perToken(units);
  const names = { clearing: label.clearing, floor: label.floor, fixed: tile.price };
  return [
    amount(lookUp.accepted, accepted),
    // The contract's own amounts may contradict each other; the page says so elsewhere.
    ...(rest < 0n ? [] : [amount(lookUp.notAccepted, rest)]),
    ...(refunds.length > 0 ? [amount(lookUp.repaid, refunded)] : []),
    ...(price
      ? [
          {
            label: fill(names[price.kind], { per }),
            figure: priceFigure(price.numerator, price.denominator, units),
          },
        ]
      : []),
    ...tokensOf(accepted, facts.ClearingRule === undefined ? price : undefined, facts.OfferedToken),
  ];
}

/**
 * @param {bigint} accepted
 * @param {ReturnType<typeof priceOf>} price
 * @param {SaleFacts["OfferedToken"]} token
 * @returns {Outcome[]}
 */
function tokensOf(accepted, price, token) {
  const tokens = tokensAt(accepted, price);
  return tokens ? [{ label: texts().lookUp.tokens, figure: offeredFigure(tokens, token) }] : [];
}

/**
 * Returns how many smallest units of the offered token an accepted amount buys; undefined where no price says it.
 *
 * @param {bigint} accepted
 * @param {SoldPrice | undefined} price
 */
export function tokensAt(accepted, price) {
  if (accepted === 0n) return 0n;
  if (price === undefined || BigInt(price.numerator) === 0n) return undefined;
  return (accepted * BigInt(price.denominator)) / BigInt(price.numerator);
}

/**
 * Returns the price at which the sale has sold to a wallet; undefined where its commitments have several.
 *
 * @param {Position} position
 * @returns {SoldPrice & { kind: "clearing" | "floor" | "fixed" } | undefined}
 */
function priceOf({ ClearingPriceNumerator, ClearingPriceDenominator, Undersubscribed, Commitments }) {
  const clearing =
    ClearingPriceNumerator !== undefined && ClearingPriceDenominator !== undefined
      ? { numerator: ClearingPriceNumerator, denominator: ClearingPriceDenominator }
      : undefined;
  const counted = Commitments.filter(({ Counted }) => Counted);
  const prices = counted.map((each) => ({ numerator: each.PriceNumerator, denominator: each.PriceDenominator }));
  const price = soldPrice({}, clearing, prices);
  if (clearing === undefined) return price && { kind: "fixed", ...price };
  return { kind: Undersubscribed ? "floor" : "clearing", ...clearing };
}

/**
 * Returns the price at which a sale has sold: that at which an auction has cleared, else the only one of the commitments. An auction
 * with the other rule sells while its price rises: no single one is that of all tokens.
 *
 * @param {Pick<LookedUpSale["facts"], "ClearingRule">} facts
 * @param {SoldPrice | undefined} clearing
 * @param {readonly SoldPrice[]} prices of the commitments that count
 * @returns {SoldPrice | undefined}
 */
export function soldPrice({ ClearingRule }, clearing, [first, ...others]) {
  if (ClearingRule !== undefined) return undefined;
  if (clearing !== undefined) return clearing;
  const isOne = others.every(
    ({ numerator, denominator }) => numerator === first?.numerator && denominator === first?.denominator,
  );
  return isOne ? first : undefined;
}

/**
 * @param {PositionCommitment} commitment
 * @param {Position} position
 * @param {Units} units
 * @param {BidState} state
 * @returns {Bid}
 */
function bidOf(commitment, { Wallet }, units, state) {
  const { CommitmentID, PriceNumerator, PriceDenominator, Amounts, CreatedAt } = commitment;
  const own = ownAmounts(commitment, Wallet);
  const { badge, detail } = bidStateTexts(state);
  return {
    state,
    badge,
    detail,
    amount: amountFigure(sumOf(own), units),
    price: priceFigure(PriceNumerator, PriceDenominator, units),
    time: CreatedAt,
    moment: timeText(CreatedAt),
    id: { text: shortText(CommitmentID), exact: CommitmentID },
    ...(own.length < Amounts.length && { whole: amountFigure(sumOf(Amounts.map(({ Amount }) => Amount)), units) }),
  };
}

/**
 * Returns how a bid leaves an auction, in a sentence; empty where nothing is known of that.
 *
 * @param {PositionCommitment["Exit"]} exit
 * @param {Units} units
 * @param {SaleFacts["OfferedToken"]} token
 */
function exitText(exit, units, token) {
  if (exit === undefined) return "";
  const { leave, ...waiting } = texts().lookUp.exit;
  const { Standing, Function: name, Arguments = [], Tokens = "0", RefundAmount = "0" } = exit;
  if (name === undefined) return waiting[/** @type {keyof typeof waiting} */ (Standing)] ?? "";
  return fill(leave, {
    tokens: offeredFigure(BigInt(Tokens), token).text,
    refund: amountFigure(BigInt(RefundAmount), units).text,
    call: `${name}(${Arguments.join(", ")})`,
  });
}

/**
 * Returns the amounts of a commitment that are a wallet's.
 *
 * @param {PositionCommitment} commitment
 * @param {string} wallet
 */
function ownAmounts({ Amounts }, wallet) {
  return Amounts.filter(({ Wallet }) => Wallet === wallet).map(({ Amount }) => Amount);
}

/** @param {readonly string[]} amounts */
function sumOf(amounts) {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
}
