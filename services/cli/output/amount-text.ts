import { groupedText, timesPowerOfTen } from "../../../common/sale/words/exact-number.ts";

/** An amount in smallest units as people write it: `5,000.5`. @param decimals of the token */
export function amountText(amount: bigint, decimals: number): string {
  return groupedText(timesPowerOfTen({ numerator: amount, denominator: 1n }, -decimals));
}
