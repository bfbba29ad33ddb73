import type { Language } from "../../../common/platform/language/language.ts";
import { offerState } from "../../../common/sale/figures/offer-state.ts";
import { optionalPriceFigure } from "../../../common/sale/words/figure.ts";
import { headFigures, perToken, type Totals } from "../../sale-page/browser/figures.js";
import { marksOf } from "../../sale-page/browser/marks.js";
import { MEASURES, type MeasureName } from "../../sale-page/browser/measures.js";
import { stageTexts } from "../../sale-page/browser/stage-texts.js";
import { type Terms, tilesOf } from "../../sale-page/browser/tiles.js";
import { texts } from "../../sale-page/browser/words.js";
import { descriptionOf } from "../../sale-page/view/description.ts";
import { combined, type Section } from "./table.ts";

/** 100 tokens are for sale: at the floor, 10 cents, they cost 10 dollars. */
const OFFER = { Decimals: 18, Symbol: "DEMO", Amount: String(100n * 10n ** 18n) };
const FLOOR = { numerator: "1", denominator: "10000000000000" };
const HIGHER = { numerator: "2", denominator: "10000000000000" };

/** Millionths of a dollar that are bid, those of them below the floor, the price, and how many bids there are. */
const BIDS = {
  "nothing is bid": [0n, 0n, FLOOR, 0],
  "all is bid below the floor": [30_000_000n, 30_000_000n, FLOOR, 2],
  "less than the offer is bid": [5_000_000n, 0n, FLOOR, 2],
  "less than the offer is bid at the floor or more": [30_000_000n, 25_000_000n, FLOOR, 2],
  "just the offer is bid at the floor": [10_000_000n, 0n, FLOOR, 1],
  "more than the offer is bid": [54_000_000n, 0n, HIGHER, 2],
} as const;
type Bids = keyof typeof BIDS;

/** Facts of a sale that is open, over, or settled in one of three ways. */
const OUTCOMES = {
  open: { Status: "open", Stage: "commitment" },
  "bidding has ended": { Status: "open", Stage: "closed" },
  "being settled, and accepted in part": { Status: "open", Stage: "settlement", AcceptedAmount: "4000000" },
  settled: { Status: "settled", Stage: "done" },
  "settled by a contract, and accepted in part": { Status: "settled", Stage: "done", AcceptedAmount: "4000000" },
  "settled without one, and accepted in part": { Status: "settled", AcceptedAmount: "4000000" },
} as const;

const SHOWN = ["total", "price", "clearing", "floor", "accepted", "refunded"];

function unitsIn(language: Language) {
  return { payment: 6, offered: 18, dollars: true, language };
}

function totalsOf(pricing: "auction" | "fixed", bids: Bids): Totals {
  const [total, below, { numerator, denominator }, count] = BIDS[bids];
  return {
    TotalCommitmentAmount: String(total),
    UniqueCommitmentCount: count,
    PaymentTokenDecimals: 6,
    OfferedTokenDecimals: 18,
    ...(pricing === "auction" && {
      ClearingPriceNumerator: numerator,
      ClearingPriceDenominator: denominator,
      ...(below > 0n && { BelowFloorAmount: String(below) }),
    }),
  };
}

function termsOf(pricing: "auction" | "fixed", isOffered: boolean, outcome: keyof typeof OUTCOMES): Terms {
  const { Amount: _, ...token } = OFFER;
  return {
    ...{ Pricing: pricing, OfferedToken: isOffered ? OFFER : token, ...OUTCOMES[outcome] },
    ...(pricing === "fixed"
      ? { PriceNumerator: FLOOR.numerator, PriceDenominator: FLOOR.denominator }
      : { FloorNumerator: FLOOR.numerator, FloorDenominator: FLOOR.denominator }),
  };
}

/** Returns the tiles that depend on the demand, the lines that a chart marks, and what other sites say. */
function sentencesOf(terms: Terms, totals: Totals, language: Language): readonly string[] {
  const units = unitsIn(language);
  const tiles = tilesOf(terms, totals, units).filter(({ id, isHidden }) => SHOWN.includes(id) && !isHidden);
  const shown = tiles.map(({ label, figure, note = "" }) =>
    [`${label}: ${figure.text}`, note].filter(Boolean).join(" – "),
  );
  const { price } = offerState(terms, totals);
  const [kind, text] = [
    price?.kind,
    price && { numerator: String(price.numerator), denominator: String(price.denominator) },
  ];
  const marks = marksOf(
    { clearing: kind === "clearing" ? text : undefined, floor: kind === "fixed" ? undefined : FLOOR },
    units,
  );
  const description = descriptionOf(
    {
      ...{ figures: headFigures(totals, units), perToken: perToken(units), price: kind },
      fixedPrice: optionalPriceFigure(terms.PriceNumerator, terms.PriceDenominator, units),
      stage: stageTexts(terms, 0),
    },
    language,
  );
  return [...shown, ...marks.map(({ label }) => label), description];
}

/** How much of an offer is taken, at which price, and what is accepted. */
export const OFFER_SENTENCES: Section = {
  title: "How much of its offer is taken: tiles, marks of the chart, description",
  conditions: ["pricing", "offer", "bids", "state"],
  cases: combined(
    ["auction", "fixed"] as const,
    ["known", "not known"] as const,
    Object.keys(BIDS) as Bids[],
    Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[],
  )
    .filter(([, , bids, outcome]) => BIDS[bids][0] >= BigInt(acceptedOf(outcome)))
    .map(([pricing, offer, bids, outcome]) => ({
      state: [pricing, offer, bids, outcome],
      say: (language) => sentencesOf(termsOf(pricing, offer === "known", outcome), totalsOf(pricing, bids), language),
    })),
};

function acceptedOf(outcome: keyof typeof OUTCOMES): string {
  const facts: Partial<Terms> = OUTCOMES[outcome];
  return facts.AcceptedAmount ?? "0";
}

/** The texts in place of a chart or a list, whatever the state of its sale. */
export const EMPTY_SENTENCES: Section = {
  title: "What is empty",
  conditions: ["place", "reason"],
  cases: [
    ...(Object.keys(MEASURES) as MeasureName[]).map((name) => ({
      state: [`chart ${name}`, "there is no value"],
      say: () => [texts().chart[MEASURES[name].nothing]],
    })),
    { state: ["chart demand", "there is no value"], say: () => [texts().chart.noBids] },
    { state: ["any chart", "it can't be loaded"], say: () => [texts().chart.unreadable] },
    { state: ["list", "there is no value"], say: () => [texts().list.none] },
  ],
};
