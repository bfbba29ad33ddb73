import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Translation } from "../../platform/language/message.ts";
import { sourceLocation } from "../definition/source-location.ts";
import { commonCurrency } from "./currency.ts";
import { groupedText, times, timesPowerOfTen } from "./exact-number.ts";
import type { ExactNumber } from "./exact-text.ts";

/** A setting of a sale as people read it: exact, in tokens and money. */
export interface DefinitionLine {
  readonly label: string;
  readonly text: string;
  /** Line below the text; absent where the text is enough. */
  readonly detail?: string;
}

/** The fields of a definition that say what is sold, and how it is paid and read. */
export type ShownDefinition = Pick<
  SaleDefinition,
  "paymentTokens" | "paymentTokenDecimals" | "offeredTokenDecimals" | "priceTick" | "pricing" | "source"
>;

/** Returns a definition as lines to read. */
export function definitionLines(definition: ShownDefinition): readonly DefinitionLine[] {
  return [...priceLines(definition), ...tokenLines(definition), sourceLine(definition)];
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

function priceLines(definition: ShownDefinition): readonly DefinitionLine[] {
  const { pricing } = definition;
  const price = (ticks: bigint) => `${moneyText(definition, tokenPrice(definition, ticks))} ${perText(definition)}`;
  const tick = moneyText(definition, tokenPrice(definition, 1n));
  const line = (label: string, ticks: bigint): DefinitionLine => ({
    label,
    text: price(ticks),
    ...(ticks > 1n && { detail: `${groupedText(whole(ticks))} price ticks of ${tick}` }),
  });
  const tickLine = { label: "Price tick", text: price(1n), detail: "Every price is a whole number of these." };
  if (pricing.case !== "auction") {
    const { priceTicks = 0n, offeredAmount = "" } = pricing.value ?? {};
    const offered = offeredAmount === "" ? [] : [offeredLine(definition, offeredAmount)];
    return [...offered, line("Price", priceTicks), tickLine];
  }
  const { offeredAmount, floorTicks, incrementTicks } = pricing.value;
  return [
    offeredLine(definition, offeredAmount),
    line("Lowest price", floorTicks),
    line("Price step", incrementTicks),
    tickLine,
  ];
}

function offeredLine(definition: ShownDefinition, offeredAmount: string): DefinitionLine {
  return { label: "For sale", text: offeredText(definition, offeredAmount) };
}

/** Returns a number of smallest units of the offered token, as whole tokens where its decimals are set. */
export function offeredText(
  { offeredTokenDecimals }: Pick<SaleDefinition, "offeredTokenDecimals">,
  units: string,
): string {
  const amount = timesPowerOfTen(whole(BigInt(units)), -(offeredTokenDecimals ?? 0));
  return `${groupedText(amount)} ${offeredTokenDecimals === undefined ? "smallest units of the token" : "tokens"}`;
}

function moneyText({ paymentTokens }: ShownDefinition, amount: ExactNumber): string {
  return `${groupedText(amount)} ${moneyUnit(paymentTokens)}`;
}

/** Units of amounts and of prices. */
export const UNIT_WORDS = {
  dollars: "dollars",
  paymentTokens: "payment tokens",
  perToken: "per token",
  perSmallest: "per smallest unit of the token",
} as const;

export type UnitWords = Translation<typeof UNIT_WORDS>;

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

function tokenLines({
  paymentTokens,
  paymentTokenDecimals,
  offeredTokenDecimals,
}: ShownDefinition): readonly DefinitionLine[] {
  const common = new Set(paymentTokens.map(({ decimals }) => decimals)).size > 1;
  return [
    ...paymentTokens.map(paymentTokenLine),
    ...(common ? [{ label: "Added up in", text: `${paymentTokenDecimals ?? "?"} decimals` }] : []),
    {
      label: "Offered token",
      text: offeredTokenDecimals === undefined ? "decimals not set" : `${offeredTokenDecimals} decimals`,
    },
  ];
}

/** Returns a payment token as a line. Its decimals are absent where nobody could read them. */
export function paymentTokenLine(token: {
  readonly address: string;
  readonly symbol: string;
  readonly decimals?: number | undefined;
  readonly usdStablecoin?: boolean;
}): DefinitionLine {
  const { address, symbol, decimals, usdStablecoin = false } = token;
  return {
    label: "Paid in",
    text: symbol === "" ? address : `${symbol}, ${address}`,
    detail: `${decimals === undefined ? "unknown" : decimals} decimals${usdStablecoin ? ", a dollar stablecoin" : ""}`,
  };
}

function sourceLine({ source }: ShownDefinition): DefinitionLine {
  const label = "Commitments";
  const location = sourceLocation(source);
  if (location === undefined) return { label, text: "sent by a service, not read from a contract" };
  return { label, text: `read from ${location.address} on ${location.chain}` };
}

function whole(number: bigint): ExactNumber {
  return { numerator: number, denominator: 1n };
}
