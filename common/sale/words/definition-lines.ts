import { ClearingRule, type SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { fill, fillCounted, type Translation } from "../../platform/language/message.ts";
import { sourceLocation } from "../definition/source-location.ts";
import { ticksOf } from "../record/ticks.ts";
import { commonCurrency } from "./currency.ts";
import { groupedText, times, timesPowerOfTen } from "./exact-number.ts";
import type { ExactNumber } from "./exact-text.ts";
import { MOST_DECIMALS, PRICE_PLACES } from "./figure.ts";
import { readableText } from "./number-text.ts";

/** Characters of the longest number that is written out: prices of 160 bits have more. */
const LONGEST_NUMBER = 60;
/** Characters of the longest fraction: nobody sees how much one of large numbers is. */
const LONGEST_FRACTION = 45;

/** A setting of a sale as people read it, in tokens and money. */
export interface DefinitionLine {
  readonly label: string;
  readonly text: string;
  /** Line below the text; absent where the text is enough. */
  readonly detail?: string;
  /** Whether the text is rounded down, as it would be too long to read: then the detail is exact. */
  readonly isRounded?: true;
}

/** The fields of a definition that say what is sold, and how it is paid and read. */
export type ShownDefinition = Pick<
  SaleDefinition,
  "paymentTokens" | "paymentTokenDecimals" | "offeredTokenDecimals" | "priceTick" | "pricing" | "source"
>;

/** The fields of a definition by which a number of price ticks is a price. */
export type PricedDefinition = Omit<ShownDefinition, "pricing" | "source">;

/** The words of a definition's lines. */
export const DEFINITION_WORDS = {
  price: "Price",
  lowestPrice: "Lowest price",
  priceStep: "Price step",
  clearingPrice: "Clearing price",
  lowestNotOutbid: "the lowest at which the demand above it costs no more than what is for sale",
  priceTick: "Price tick",
  wholeTicks: "Every price is a whole number of these.",
  ticks: { one: "{count} price tick of {tick}", other: "{count} price ticks of {tick}" },
  forSale: "For sale",
  tokens: "{amount} tokens",
  smallestUnits: "{amount} smallest units of the token",
  paidIn: "Paid in",
  decimals: { one: "{count} decimal", other: "{count} decimals" },
  unknownDecimals: "unknown decimals",
  stablecoin: "{decimals}, a dollar stablecoin",
  notStablecoin: "{decimals}, not counted as a dollar",
  addedUpIn: "Added up in",
  offeredToken: "Offered token",
  decimalsNotSet: "decimals not set",
  commitments: "Commitments",
  sentByService: "sent by a service, not read from a contract",
  readFrom: "read from {address} on {chain}",
  readFromAuction: "read from the Continuous Clearing Auction {address} on {chain}",
} as const;

/** Units of amounts and of prices. */
export const UNIT_WORDS = {
  dollars: "dollars",
  paymentTokens: "payment tokens",
  perToken: "per token",
  perSmallest: "per smallest unit of the token",
} as const;

export type UnitWords = Translation<typeof UNIT_WORDS>;

/** The language of a definition's lines, and its words. */
export interface DefinitionStyle {
  readonly definitionWords: Translation<typeof DEFINITION_WORDS>;
  readonly unitWords: UnitWords;
  /** BCP 47 tag. */
  readonly language: string;
}

/** The style of lines in English. */
export const ENGLISH_STYLE: DefinitionStyle = {
  definitionWords: DEFINITION_WORDS,
  unitWords: UNIT_WORDS,
  language: "en",
};

/** Returns a definition as lines to read. */
export function definitionLines(
  definition: ShownDefinition,
  style: DefinitionStyle = ENGLISH_STYLE,
): readonly DefinitionLine[] {
  return [...priceLines(definition, style), ...tokenLines(definition, style), sourceLine(definition, style)];
}

/** Returns the price of a whole offered token in whole payment tokens, at a number of ticks. */
export function tokenPrice(
  definition: Pick<SaleDefinition, "priceTick" | "paymentTokenDecimals" | "offeredTokenDecimals">,
  ticks: bigint,
): ExactNumber {
  const { numerator = "0", denominator = "1" } = definition.priceTick ?? {};
  const tick = { numerator: BigInt(numerator), denominator: BigInt(denominator) };
  const exponent = (definition.offeredTokenDecimals ?? 0) - (definition.paymentTokenDecimals ?? 0);
  return timesPowerOfTen(times(tick, ticks), exponent);
}

function priceLines(definition: ShownDefinition, style: DefinitionStyle): readonly DefinitionLine[] {
  const { pricing } = definition;
  const { definitionWords: words } = style;
  const line = (label: string, ticks: bigint) => priceLine(definition, label, ticks, style);
  const tick = priceText(definition, exactPrice(definition, 1n, style), style);
  const tickLine = { label: words.priceTick, text: tick, detail: words.wholeTicks };
  if (pricing.case !== "auction") {
    const { priceTicks = "", offeredAmount = "" } = pricing.value ?? {};
    const offered = offeredAmount === "" ? [] : [offeredLine(definition, offeredAmount, style)];
    return [...offered, line(words.price, ticksOf(priceTicks)), tickLine];
  }
  const { offeredAmount, floorTicks, incrementTicks, clearingRule } = pricing.value;
  return [
    offeredLine(definition, offeredAmount, style),
    line(words.lowestPrice, ticksOf(floorTicks)),
    // Without a grid there is no step.
    clearingRule === ClearingRule.LOWEST_NOT_OUTBID
      ? { label: words.clearingPrice, text: words.lowestNotOutbid }
      : line(words.priceStep, ticksOf(incrementTicks)),
    tickLine,
  ];
}

/** Returns a price, of a number of price ticks, as a line. */
export function priceLine(
  definition: PricedDefinition,
  label: string,
  ticks: bigint,
  style: DefinitionStyle = ENGLISH_STYLE,
): DefinitionLine {
  const { definitionWords: words, unitWords, language } = style;
  const text = exactPrice(definition, ticks, style);
  const isRounded = text.length > (text.includes("/") ? LONGEST_FRACTION : LONGEST_NUMBER);
  const tick = `${exactPrice(definition, 1n, style)} ${moneyUnit(definition.paymentTokens, unitWords)}`;
  return {
    label,
    text: priceText(definition, isRounded ? roundedText(tokenPrice(definition, ticks), language) : text, style),
    ...((ticks > 1n || isRounded) && { detail: fillCounted(words.ticks, ticks, language, { tick }) }),
    ...(isRounded && { isRounded }),
  };
}

function exactPrice(definition: PricedDefinition, ticks: bigint, { language }: DefinitionStyle): string {
  return groupedText(tokenPrice(definition, ticks), language, MOST_DECIMALS);
}

function priceText(definition: PricedDefinition, price: string, { unitWords }: DefinitionStyle): string {
  return `${price} ${moneyUnit(definition.paymentTokens, unitWords)} ${perText(definition, unitWords)}`;
}

function roundedText({ numerator, denominator }: ExactNumber, language: string): string {
  return readableText(numerator, denominator, language, { places: PRICE_PLACES });
}

function offeredLine(definition: ShownDefinition, offeredAmount: string, style: DefinitionStyle): DefinitionLine {
  return { label: style.definitionWords.forSale, text: offeredText(definition, offeredAmount, style) };
}

/** Returns a number of smallest units of the offered token, as whole tokens where its decimals are set. */
export function offeredText(
  { offeredTokenDecimals }: Pick<SaleDefinition, "offeredTokenDecimals">,
  units: string,
  { definitionWords, language }: DefinitionStyle = ENGLISH_STYLE,
): string {
  const number = timesPowerOfTen(whole(BigInt(units)), -(offeredTokenDecimals ?? 0));
  const message = offeredTokenDecimals === undefined ? definitionWords.smallestUnits : definitionWords.tokens;
  return fill(message, { amount: groupedText(number, language) });
}

/** Returns the name of the money of payment tokens: the symbol that all have, else dollars where they are, else neither. */
export function moneyUnit(tokens: ShownDefinition["paymentTokens"], unitWords: UnitWords = UNIT_WORDS): string {
  const { symbol, dollars } = commonCurrency(tokens);
  return symbol || (dollars ? unitWords.dollars : unitWords.paymentTokens);
}

/** Returns the unit of the offered token that a price is for. */
export function perText(
  { offeredTokenDecimals }: Pick<SaleDefinition, "offeredTokenDecimals">,
  unitWords: UnitWords = UNIT_WORDS,
): string {
  return offeredTokenDecimals === undefined ? unitWords.perSmallest : unitWords.perToken;
}

function tokenLines(
  { paymentTokens, paymentTokenDecimals, offeredTokenDecimals }: ShownDefinition,
  style: DefinitionStyle,
): readonly DefinitionLine[] {
  const { addedUpIn, offeredToken, decimalsNotSet } = style.definitionWords;
  const isDifferent = new Set(paymentTokens.map(({ decimals }) => decimals)).size > 1;
  const ownDecimals = offeredTokenDecimals === undefined ? decimalsNotSet : decimalsText(offeredTokenDecimals, style);
  return [
    ...paymentTokens.map((token) => paymentTokenLine(token, style)),
    ...(isDifferent ? [{ label: addedUpIn, text: decimalsText(paymentTokenDecimals, style) }] : []),
    { label: offeredToken, text: ownDecimals },
  ];
}

/** Returns a payment token as a line. Its decimals are absent where nobody could read them; what it is worth, where nobody has said it. */
export function paymentTokenLine(
  token: {
    readonly address: string;
    readonly symbol: string;
    readonly decimals?: number | undefined;
    readonly usdStablecoin?: boolean;
  },
  style: DefinitionStyle = ENGLISH_STYLE,
): DefinitionLine {
  const { address, symbol, usdStablecoin } = token;
  const { paidIn, stablecoin, notStablecoin } = style.definitionWords;
  const decimals = decimalsText(token.decimals, style);
  return {
    label: paidIn,
    text: symbol === "" ? address : `${symbol}, ${address}`,
    detail: usdStablecoin === undefined ? decimals : fill(usdStablecoin ? stablecoin : notStablecoin, { decimals }),
  };
}

function decimalsText(decimals: number | undefined, { definitionWords, language }: DefinitionStyle): string {
  return decimals === undefined
    ? definitionWords.unknownDecimals
    : fillCounted(definitionWords.decimals, decimals, language, {});
}

function sourceLine({ source }: ShownDefinition, { definitionWords }: DefinitionStyle): DefinitionLine {
  const location = sourceLocation(source);
  const { sentByService, readFrom, readFromAuction, commitments: label } = definitionWords;
  if (location === undefined) return { label, text: sentByService };
  const { address, chain, contractFamily } = location;
  return { label, text: fill(contractFamily === "cca" ? readFromAuction : readFrom, { address, chain }) };
}

function whole(number: bigint): ExactNumber {
  return { numerator: number, denominator: 1n };
}
