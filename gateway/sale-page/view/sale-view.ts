import { type OfferPrice, offerState } from "../../../common/sale/figures/offer-state.ts";
import { type Timeline, timeline } from "../../../common/sale/state/timeline.ts";
import { type Figure, optionalPriceFigure, type Units } from "../../../common/sale/words/figure.ts";
import { Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Representation } from "../../public-read/cache/representation.ts";
import {
  type Commitment,
  headFigures,
  isInDollars,
  perToken,
  shortUnits,
  type Totals,
  unitsOf,
} from "../browser/figures.js";
import { type Freshness, freshnessOf } from "../browser/freshness.js";
import { type Liveness, reportedLiveness } from "../browser/liveness.js";
import { type Price, priceOf } from "../browser/marks.js";
import { rowOf } from "../browser/row-texts.js";
import { type Source, type SourceText, sourceText } from "../browser/source-text.js";
import { type StageTexts, stageTexts } from "../browser/stage-texts.js";
import { type Tile, tilesOf } from "../browser/tiles.js";
import { type PageFacts, pageFacts } from "./page-facts.ts";

type Body = Totals & { readonly Commitments: readonly Commitment[] };

/** The content of a sale's page. */
export interface SaleView {
  /** Name of the sale; a general one where an older commitments service sends none. */
  readonly name: string;
  readonly facts: PageFacts;
  readonly isTest: boolean;
  /** Where the sale is, in words. */
  readonly stage: StageTexts;
  readonly timeline: Timeline;
  /** Block that the figures are of, or why they stand still; empty for neither. */
  readonly source: SourceText;
  /** How current the figures were when the page was made. */
  readonly liveness: Liveness;
  readonly freshness: Freshness;
  readonly units: Units;
  /** All fields of the public read's body but the list. */
  readonly totals: Totals;
  /** Only for an auction that clears; `price` says what its figure is meanwhile. */
  readonly clearing: Price | undefined;
  /** Kind of the sale's price; undefined where it isn't known. */
  readonly price: OfferPrice["kind"] | undefined;
  /** Lowest price at which an auction can clear; undefined where an older commitments service sends none. */
  readonly floor: Price | undefined;
  readonly figures: ReturnType<typeof headFigures>;
  /** Only for a sale at a fixed price. */
  readonly fixedPrice: Figure | undefined;
  readonly tiles: readonly Tile[];
  /** Unit that prices are for. */
  readonly perToken: string;
  readonly rows: readonly ReturnType<typeof rowOf>[];
}

/** The state of a sale that a page shows. */
export interface ShownState extends Pick<Representation, "identity" | "sale"> {
  /** Public facts about the sale as JSON without braces; undefined where they aren't known. */
  readonly factsJson?: string | undefined;
  /** Block that the figures are of, or why they stand still. */
  readonly source?: Source;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const NO_SOURCE: Source = { AsOf: null, Fault: "" };

export function saleView({ identity, sale, factsJson, source = NO_SOURCE, now }: ShownState): SaleView {
  const body = parseBody(identity.bytes.toString("utf8"));
  const facts = pageFacts(factsJson, sale);
  const units = unitsOf(body, {
    dollars: sale?.amountsAreDollars ?? isInDollars(body),
    symbol: sale?.paymentSymbol ?? "",
  });
  const stage = stageTexts(facts, now);
  const liveness = reportedLiveness({ ...source, Settled: stage.phase === "settled" }, now);
  const { OfferedToken } = facts;
  const amount = OfferedToken.Amount ?? sale?.auction?.offeredAmount;
  const offer = offerState({ ...facts, OfferedToken: amount === undefined ? {} : { Amount: amount } }, body);
  const clears = offer.price?.kind === "clearing";
  return {
    name: facts.Name,
    facts,
    isTest: sale?.tenancy === Tenancy.TEST,
    stage,
    timeline: timeline(facts, now),
    source: sourceText(source),
    liveness,
    freshness: freshnessOf(liveness, source.AsOf),
    units,
    totals: body,
    clearing: clears ? priceOf(body.ClearingPriceNumerator, body.ClearingPriceDenominator) : undefined,
    price: offer.price?.kind,
    floor: sale?.auction?.floorPrice,
    figures: headFigures(body, shortUnits(units)),
    fixedPrice: optionalPriceFigure(facts.PriceNumerator, facts.PriceDenominator, shortUnits(units)),
    tiles: tilesOf(facts, body, units),
    perToken: perToken(units),
    rows: body.Commitments.map((commitment) => rowOf(commitment, units)),
  };
}

/** Takes the count from the text, since it may be larger than a JavaScript number can be. */
function parseBody(text: string): Body {
  const body: Body = JSON.parse(text);
  // Text from founders and contracts is in the list only, before the last total.
  const totals = text.slice(text.lastIndexOf('"TotalCommitmentAmount":'));
  const [, count = "0"] = /"UniqueCommitmentCount":(\d+)/.exec(totals) ?? [];
  return { ...body, UniqueCommitmentCount: BigInt(count) };
}
