import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { moneyUnit, perText, tokenPrice, UNIT_WORDS, type UnitWords } from "./definition-lines.ts";
import { groupedText, times, timesPowerOfTen } from "./exact-number.ts";
import { type ExactNumber, exactText } from "./exact-text.ts";
import { decimalSeparator } from "./number-text.ts";

/** The units in which people write the amounts and prices of a sale. */
export interface SaleUnits {
  /** Decimals of the payment tokens. */
  readonly decimals: number;
  /** Name of the money, such as `USDC`. */
  readonly money: string;
  /** Unit of the offered token, such as `per token`. */
  readonly per: string;
  /** Price of one tick, in whole payment tokens. */
  readonly tick: ExactNumber;
  readonly isAuction: boolean;
  /** BCP 47 tag of the language of numbers; English by default. */
  readonly language?: string;
}

/** The fields of a definition, or of a sale's summary, that say in which units people write. */
export interface UnitFields
  extends Pick<SaleDefinition, "paymentTokens" | "paymentTokenDecimals" | "offeredTokenDecimals" | "priceTick"> {
  readonly pricing: { readonly case: SaleDefinition["pricing"]["case"] };
}

/** Returns the units of a sale. @param unitWords in the language of `language` */
export function saleUnits(definition: UnitFields, unitWords: UnitWords = UNIT_WORDS, language = "en"): SaleUnits {
  return {
    decimals: definition.paymentTokens[0]?.decimals ?? 0,
    money: moneyUnit(definition.paymentTokens, unitWords),
    per: perText(definition, unitWords),
    tick: tokenPrice(definition, 1n),
    isAuction: definition.pricing.case === "auction",
    language,
  };
}

/** Returns an amount in smallest units as an entry, without its money. */
export function amountEntry({ decimals, language }: Pick<SaleUnits, "decimals" | "language">, amount: bigint): string {
  return numberEntry(amountOf(decimals, amount), language);
}

/** Returns an amount in smallest units with its money. */
export function amountText({ decimals, money, language }: SaleUnits, amount: bigint): string {
  return `${shownText(amountOf(decimals, amount), language)} ${money}`;
}

/** Returns a price in ticks as an entry. */
export function priceEntry({ tick, language }: SaleUnits, ticks: bigint): string {
  return numberEntry(times(tick, ticks), language);
}

/** Returns a price in ticks with its money. */
export function priceText({ tick, money, per, language }: SaleUnits, ticks: bigint): string {
  return `${shownText(times(tick, ticks), language)} ${money} ${per}`;
}

const NARROW_SPACE = "\u202f";

/**
 * Returns a number as `readExactNumber` reads it back: with commas between thousands, or with spaces in a language with a comma
 * before decimals. There, three decimals get a zero, since `1,250` would be refused. A fraction has neither.
 */
export function numberEntry(number: ExactNumber, language = "en"): string {
  const exact = exactText(number);
  if (exact.includes("/")) return exact;
  const grouped = groupedText(number);
  if (decimalSeparator(language) !== ",") return grouped;
  const spaced = grouped.replaceAll(",", NARROW_SPACE).replace(".", ",");
  return withClearDecimals(spaced);
}

/**
 * Returns the text of a number with a zero after three decimals that could be thousands: `1.250` is a thousand in some countries, and
 * `1,250` in others, so it would be refused where it is read.
 */
export function withClearDecimals(text: string): string {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(text) ? `${text}0` : text;
}

/** Returns a number as a language writes it; a fraction without separators, as an entry has none. */
function shownText(number: ExactNumber, language?: string): string {
  const exact = exactText(number);
  return exact.includes("/") ? exact : groupedText(number, language);
}

function amountOf(decimals: number, amount: bigint): ExactNumber {
  return timesPowerOfTen({ numerator: amount, denominator: 1n }, -decimals);
}
