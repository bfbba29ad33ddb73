import { fill } from "../../../common/platform/language/message.ts";
import { timesPowerOfTen } from "../../../common/sale/words/exact-number.ts";
import { exactText } from "../../../common/sale/words/exact-text.ts";
import { isNumber, readExactNumber } from "../../../common/sale/words/read-number.ts";
import { texts } from "../base/texts.ts";

/** The smallest units of a token that an entry means, or the reason why it means none. */
export type EnteredUnits = { readonly units: bigint } | { readonly reason: string };

/** Reads a number of tokens above 0, in smallest units. @param decimals of the token; 0 where they aren't known */
export function readTokenUnits(text: string, decimals: number): EnteredUnits {
  const number = readExactNumber(text);
  if (!isNumber(number)) return number;
  const { numerator, denominator } = timesPowerOfTen(number, decimals);
  if (denominator !== 1n) return { reason: fill(texts().definition.manyDecimals, { decimals: String(decimals) }) };
  return numerator > 0n ? { units: numerator } : { reason: texts().definition.positive };
}

/** Returns the entry that means a number of smallest units. @param units decimal integer; empty for none */
export function tokenUnitsEntry(units: string, decimals = 0): string {
  if (units === "") return "";
  return exactText(timesPowerOfTen({ numerator: BigInt(units), denominator: 1n }, -decimals));
}
