import { fill } from "../../../common/platform/language/message.ts";
import { offerState } from "../../../common/sale/figures/offer-state.ts";
import { ticksOf } from "../../../common/sale/record/ticks.ts";
import { commonCurrency } from "../../../common/sale/words/currency.ts";
import { perText } from "../../../common/sale/words/definition-lines.ts";
import { amountFigure, countFigure, type Figure, priceFigure, type Units } from "../../../common/sale/words/figure.ts";
import type { Fraction } from "../../../proto/gen/tidemark/commitments/v1/fraction_pb.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleFigures } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { utcText } from "../../web/pages/utc-time.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { texts } from "../base/texts.ts";
import type { FigureFacts } from "./sale-facts.ts";

/** A figure with its name, and how it has changed. */
export interface NamedFigure extends Figure {
  readonly name: string;
  /** The change since the trend's beginning, such as `+1,200.00 USDC`; undefined where that isn't known. */
  readonly change: string | undefined;
}

/** The figures of a sale as people read them. */
export interface FigureTexts {
  readonly figures: readonly NamedFigure[];
  /** A sentence that says since when the changes are; undefined where none is known. */
  readonly since: string | undefined;
}

/** Returns a sale's figures in its own units, with their changes. */
export function figureTexts(definition: SaleDefinition, { now, earlier }: FigureFacts): FigureTexts {
  const units = unitsOfSale(definition);
  const before = earlier?.figures;
  const committed = amountFigure(BigInt(now.totalAmount), units);
  const words = texts().stats;
  const figures: NamedFigure[] = [
    { name: words.committed, ...committed, change: before && amountChange(now, before, units) },
    {
      name: words.commitments,
      ...countFigure(now.commitmentCount, units),
      change: before && countChange(now, before, units),
    },
  ];
  const price = priceOf(now, definition, units);
  if (price !== undefined) {
    const name = fill(words[price.kind], { per: perText(definition, texts().unitWords) });
    figures.push({ name, ...price, change: before && priceChange(price, priceOf(before, definition, units)) });
  }
  return { figures, since: earlier && fill(words.since, { time: utcText(earlier.at) }) };
}

/** Returns how amounts and prices of a sale read, as on its public page. */
export function unitsOfSale({ paymentTokens, paymentTokenDecimals = 0, offeredTokenDecimals }: SaleDefinition): Units {
  const decimals = { payment: paymentTokenDecimals, offered: offeredTokenDecimals };
  return { ...decimals, ...commonCurrency(paymentTokens), language: pageLanguage() };
}

function amountChange(now: SaleFigures, before: SaleFigures, units: Units): string {
  return signed(BigInt(now.totalAmount) - BigInt(before.totalAmount), (size) => amountFigure(size, units).text);
}

function countChange(now: SaleFigures, before: SaleFigures, units: Units): string {
  return signed(now.commitmentCount - before.commitmentCount, (size) => countFigure(size, units).text);
}

function signed(change: bigint, text: (size: bigint) => string): string {
  if (change === 0n) return texts().stats.noChange;
  return change > 0n ? `+${text(change)}` : `−${text(-change)}`;
}

interface NamedPrice extends Figure {
  /** Only a price at the floor while it isn't known what is bid below it. */
  readonly kind: "clearing" | "floor" | "price";
}

/** Returns the price of an auction and what it is; undefined for another sale. */
function priceOf(figures: SaleFigures, definition: SaleDefinition, units: Units): NamedPrice | undefined {
  const { pricing } = definition;
  const price = figures.clearingPrice?.price;
  if (price === undefined) return undefined;
  const Amount = pricing.case === "auction" ? pricing.value.offeredAmount : "";
  const { price: offered } = offerState(
    { OfferedToken: Amount === "" ? {} : { Amount }, ...floorOf(definition) },
    {
      TotalCommitmentAmount: figures.totalAmount,
      BelowFloorAmount: figures.belowFloorAmount || "0",
      ClearingPriceNumerator: price.numerator,
      ClearingPriceDenominator: price.denominator,
    },
  );
  const isUnknown = offered?.kind === "clearing" && figures.belowFloorAmount === "" && isFloor(price, definition);
  const known = offered?.kind === "floor" ? "floor" : "clearing";
  const kind = isUnknown ? "price" : known;
  return { kind, ...priceFigure(price.numerator, price.denominator, units) };
}

/** Whether a price is an auction's floor. Earlier figures don't have what is bid below it. */
function isFloor({ numerator, denominator }: Fraction, definition: SaleDefinition): boolean {
  const { FloorNumerator, FloorDenominator } = floorOf(definition);
  if (FloorNumerator === undefined) return false;
  return BigInt(numerator) * BigInt(FloorDenominator) === BigInt(FloorNumerator) * BigInt(denominator);
}

/** Returns the floor of an auction as public JSON has it; nothing for another sale. */
function floorOf({ pricing, priceTick }: SaleDefinition) {
  if (pricing.case !== "auction" || priceTick === undefined) return {};
  const numerator = ticksOf(pricing.value.floorTicks) * BigInt(priceTick.numerator);
  return { FloorNumerator: String(numerator), FloorDenominator: priceTick.denominator };
}

function priceChange(now: NamedPrice, before: NamedPrice | undefined): string | undefined {
  if (before === undefined) return undefined;
  const { noChange, was, wasFloor, wasClearing } = texts().stats;
  if (before.exact === now.exact) return noChange;
  const { text: price } = before;
  if (before.kind === now.kind || before.kind === "price") return fill(was, { price });
  return fill(before.kind === "floor" ? wasFloor : wasClearing, { price });
}
