import { moneyUnit, perText, tokenPrice } from "../../../common/sale/words/definition-lines.ts";
import { groupedText, times, timesPowerOfTen, wholeMultiple } from "../../../common/sale/words/exact-number.ts";
import { type ExactNumber, exactText } from "../../../common/sale/words/exact-text.ts";
import { isNumber, readExactNumber } from "../../../common/sale/words/read-number.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { ParsedNumber } from "../base/parsed-number.ts";

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
}

const AMOUNT_BOUND = 2n ** 256n;
/** The greatest number that JSON holds exactly. Prices and times of permits never exceed it. */
const MAX_JSON_INTEGER = 2n ** 53n - 1n;

/** Returns the units of a sale. */
export function saleUnits(definition: SaleDefinition): SaleUnits {
  const symbols = new Set(definition.paymentTokens.map(({ symbol }) => symbol));
  const [symbol = ""] = symbols;
  return {
    decimals: definition.paymentTokens[0]?.decimals ?? 0,
    money: symbols.size === 1 && symbol !== "" ? symbol : moneyUnit(definition.paymentTokens),
    per: perText(definition),
    tick: tokenPrice(definition, 1n),
    isAuction: definition.pricing.case === "auction",
  };
}

/** Returns an amount in smallest units as an entry. */
export function amountEntry({ decimals }: SaleUnits, amount: bigint): string {
  return entryText(timesPowerOfTen(whole(amount), -decimals));
}

/** Returns an amount in smallest units with its money. */
export function amountText(units: SaleUnits, amount: bigint): string {
  return `${amountEntry(units, amount)} ${units.money}`;
}

/** Reads an amount as people write it, in smallest units. */
export function readAmount({ decimals }: SaleUnits, text: string): ParsedNumber {
  const number = readExactNumber(text);
  if (!isNumber(number)) return number;
  const { numerator, denominator } = timesPowerOfTen(number, decimals);
  if (denominator !== 1n) return { reason: `The payment token has ${decimals} decimals: use at most that many` };
  if (numerator >= AMOUNT_BOUND) return { reason: "This is more than a contract can count" };
  return { value: numerator };
}

/** Returns a price in ticks as an entry. */
export function priceEntry({ tick }: SaleUnits, ticks: bigint): string {
  return entryText(times(tick, ticks));
}

/** Returns a price in ticks with its money. */
export function priceText(units: SaleUnits, ticks: bigint): string {
  return `${priceEntry(units, ticks)} ${units.money} ${units.per}`;
}

/** Reads a price as people write it, in ticks. */
export function readPrice({ tick }: SaleUnits, text: string): ParsedNumber {
  const number = readExactNumber(text);
  if (!isNumber(number)) return number;
  const ticks = wholeMultiple(number, tick);
  if (ticks === undefined) {
    return { reason: `${exactText(number)} is no whole number of price ticks of ${exactText(tick)}` };
  }
  if (ticks > MAX_JSON_INTEGER) return { reason: "This is more price ticks than a permit can hold" };
  return { value: ticks };
}

/** Returns a number with commas between thousands; a fraction without, as it couldn't be read back. */
function entryText(number: ExactNumber): string {
  const grouped = groupedText(number);
  return grouped.includes("/") ? exactText(number) : grouped;
}

function whole(number: bigint): ExactNumber {
  return { numerator: number, denominator: 1n };
}
