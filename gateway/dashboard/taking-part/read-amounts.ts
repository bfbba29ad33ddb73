import { fill } from "../../../common/platform/language/message.ts";
import { timesPowerOfTen, wholeMultiple } from "../../../common/sale/words/exact-number.ts";
import { isNumber } from "../../../common/sale/words/read-number.ts";
import type { SaleUnits } from "../../../common/sale/words/sale-units.ts";
import { pageNumberEntry, readPageNumber } from "../base/page-number.ts";
import { texts } from "../base/texts.ts";
import type { ParsedNumber } from "../base/utc-entry.ts";

const AMOUNT_BOUND = 2n ** 256n;
/** The greatest number that JSON holds exactly. Prices and times of permits never exceed it. */
const MAX_JSON_INTEGER = 2n ** 53n - 1n;

/** Reads an amount as people write it, in smallest units. */
export function readAmount({ decimals }: SaleUnits, text: string): ParsedNumber {
  const number = readPageNumber(text);
  if (!isNumber(number)) return number;
  const { numerator, denominator } = timesPowerOfTen(number, decimals);
  if (denominator !== 1n) return { reason: fill(texts().rules.manyDecimals, { decimals: String(decimals) }) };
  if (numerator >= AMOUNT_BOUND) return { reason: texts().rules.hugeAmount };
  return { value: numerator };
}

/** Reads a price as people write it, in ticks. */
export function readPrice({ tick }: SaleUnits, text: string): ParsedNumber {
  const number = readPageNumber(text);
  if (!isNumber(number)) return number;
  const ticks = wholeMultiple(number, tick);
  if (ticks === undefined) {
    return { reason: fill(texts().rules.noTicks, { price: pageNumberEntry(number), tick: pageNumberEntry(tick) }) };
  }
  if (ticks > MAX_JSON_INTEGER) return { reason: texts().rules.hugePrice };
  return { value: ticks };
}
