import { fill } from "../../../common/platform/language/message.ts";
import { timesPowerOfTen } from "../../../common/sale/words/exact-number.ts";
import { isNumber } from "../../../common/sale/words/read-number.ts";
import { pageNumberEntry, readPageNumber } from "../base/page-number.ts";
import { texts } from "../base/texts.ts";

/** The smallest units of a token that an entry means, or the reason why it means none. */
export type EnteredUnits = { readonly units: bigint } | { readonly reason: string };

/**
 * Reads a number of tokens above 0, as it was entered on the page that is being answered, in smallest units.
 *
 * @param decimals of the token; 0 where they aren't known
 */
export function readTokenUnits(text: string, decimals: number): EnteredUnits {
  const number = readPageNumber(text);
  if (!isNumber(number)) return number;
  const { numerator, denominator } = timesPowerOfTen(number, decimals);
  if (denominator !== 1n) return { reason: fill(texts().definition.manyDecimals, { decimals: String(decimals) }) };
  return numerator > 0n ? { units: numerator } : { reason: texts().definition.positive };
}

/** Returns the entry on that page that means a number of smallest units. @param units decimal integer; empty for none */
export function tokenUnitsEntry(units: string, decimals = 0): string {
  if (units === "") return "";
  return pageNumberEntry(timesPowerOfTen({ numerator: BigInt(units), denominator: 1n }, -decimals));
}
