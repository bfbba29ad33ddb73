import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { DEFAULT_LANGUAGE } from "../../../common/platform/language/language.ts";
import { offerState } from "../../../common/sale/figures/offer-state.ts";
import { commonCurrency } from "../../../common/sale/words/currency.ts";
import { perText } from "../../../common/sale/words/definition-lines.ts";
import { amountFigure, countFigure, type Figure, priceFigure, type Units } from "../../../common/sale/words/figure.ts";
import type { Fraction } from "../../../proto/gen/tidemark/commitments/v1/fraction_pb.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleFigures } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { utcText } from "../../web/pages/utc-time.ts";
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
  /** Since when the changes are; undefined where none is known. */
  readonly since: string | undefined;
}

/** Returns a sale's figures in its own units, with their changes; in English, as the dashboard is. */
export function figureTexts(definition: SaleDefinition, { now, earlier }: FigureFacts): FigureTexts {
  const units = unitsOfSale(definition);
  const before = earlier?.figures;
  const committed = amountFigure(BigInt(now.totalAmount), units);
  const figures: NamedFigure[] = [
    { name: "Committed", ...committed, change: before && amountChange(now, before, units) },
    {
      name: "Commitments",
      ...countFigure(now.commitmentCount, { language: DEFAULT_LANGUAGE }),
      change: before && countChange(now, before),
    },
  ];
  const price = priceOf(now, definition, units);
  if (price !== undefined) {
    const name = `${PRICE_NAMES[price.kind]} ${perText(definition)}`;
    figures.push({ name, ...price, change: before && priceChange(price, priceOf(before, definition, units)) });
  }
  return { figures, since: earlier && sinceText(earlier.at) };
}

/** Returns how amounts and prices of a sale read, as on its public page. @param language BCP 47 tag */
export function unitsOfSale(
  { paymentTokens, paymentTokenDecimals = 0, offeredTokenDecimals }: SaleDefinition,
  language: string = DEFAULT_LANGUAGE,
): Units {
  const decimals = { payment: paymentTokenDecimals, offered: offeredTokenDecimals };
  return { ...decimals, ...commonCurrency(paymentTokens), language };
}

function amountChange(now: SaleFigures, before: SaleFigures, units: Units): string {
  return signed(BigInt(now.totalAmount) - BigInt(before.totalAmount), (size) => amountFigure(size, units).text);
}

function countChange(now: SaleFigures, before: SaleFigures): string {
  return signed(
    now.commitmentCount - before.commitmentCount,
    (size) => countFigure(size, { language: DEFAULT_LANGUAGE }).text,
  );
}

function signed(change: bigint, text: (size: bigint) => string): string {
  if (change === 0n) return "no change";
  return change > 0n ? `+${text(change)}` : `−${text(-change)}`;
}

interface NamedPrice extends Figure {
  /** Unknown at the floor while it isn't known what is bid below it. */
  readonly kind: "clearing" | "floor" | "unknown";
}

const PRICE_NAMES = { clearing: "Clearing price", floor: "Floor", unknown: "Price" } as const;

/** Returns the price of an auction and what it is; undefined for another sale. */
function priceOf(figures: SaleFigures, definition: SaleDefinition, units: Units): NamedPrice | undefined {
  const { pricing } = definition;
  const price = figures.clearingPrice?.price;
  if (price === undefined) return undefined;
  const Amount = pricing.case === "auction" ? pricing.value.offeredAmount : "";
  const { price: offered } = offerState(
    { OfferedToken: Amount === "" ? {} : { Amount } },
    {
      TotalCommitmentAmount: figures.totalAmount,
      BelowFloorAmount: figures.belowFloorAmount || "0",
      ClearingPriceNumerator: price.numerator,
      ClearingPriceDenominator: price.denominator,
    },
  );
  const isUnknown = offered?.kind === "clearing" && figures.belowFloorAmount === "" && isFloor(price, definition);
  const known = offered?.kind === "floor" ? "floor" : "clearing";
  const kind = isUnknown ? "unknown" : known;
  return { kind, ...priceFigure(price.numerator, price.denominator, units) };
}

/** Whether a price is an auction's floor. Earlier figures don't have what is bid below it. */
function isFloor({ numerator, denominator }: Fraction, { pricing, priceTick }: SaleDefinition): boolean {
  if (pricing.case !== "auction" || priceTick === undefined) return false;
  const floor = pricing.value.floorTicks * BigInt(priceTick.numerator);
  return BigInt(numerator) * BigInt(priceTick.denominator) === floor * BigInt(denominator);
}

function priceChange(now: NamedPrice, before: NamedPrice | undefined): string | undefined {
  if (before === undefined) return undefined;
  if (before.exact === now.exact) return "no change";
  if (before.kind === now.kind || before.kind === "unknown") return `was ${before.text}`;
  return before.kind === "floor" ? `was the floor, ${before.text}` : `cleared at ${before.text}`;
}

function sinceText(at: Timestamp): string {
  return `since ${utcText(at)}`;
}
