import { CHAIN_FAMILIES, type ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { permitFormat } from "../../../common/chains/permit-encoding.ts";

/** A rule that a value breaks, without the field. */
export interface BrokenRule {
  readonly rule: string;
  readonly message: string;
}

/** The bounds of a total, either of which may be missing. */
export interface OptionalBounds {
  readonly minAmount?: bigint;
  readonly maxAmount?: bigint;
}

/** Returns the largest amount that a permit of a family of chains can hold; without a family, that of any. */
export function largestAmount(family: ChainFamily | undefined): bigint {
  if (family !== undefined) return permitFormat(family).maxAmount;
  return CHAIN_FAMILIES.map(largestAmount).toSorted((one, other) => (one > other ? -1 : 1))[0] ?? 0n;
}

/** Checks the bounds of a total. @returns the broken rules by the name of the field */
export function amountViolations(
  { minAmount = 0n, maxAmount }: OptionalBounds,
  family: ChainFamily | undefined,
): readonly (BrokenRule & { readonly field: "min_amount" | "max_amount" })[] {
  const largest = largestAmount(family);
  const tooLarge = { rule: "amount.range", message: `must be at most 2^${largest.toString(2).length}-1` };
  if (minAmount > largest) return [{ field: "min_amount", ...tooLarge }];
  if (maxAmount === undefined) return [];
  if (maxAmount > largest) return [{ field: "max_amount", ...tooLarge }];
  if (maxAmount === 0n) return [{ field: "max_amount", rule: "amount.zero", message: "must be above 0, or empty" }];
  if (minAmount <= maxAmount) return [];
  return [{ field: "max_amount", rule: "amount.order", message: "must not be below min_amount" }];
}
