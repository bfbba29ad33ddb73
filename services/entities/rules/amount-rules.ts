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

const MAX_UINT256 = 2n ** 256n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

/** The largest amount that a permit of a kind of chain can hold. */
export function largestAmount(kind: "evm" | "svm" | undefined): bigint {
  return kind === "svm" ? MAX_UINT64 : MAX_UINT256;
}

/** Checks the bounds of a total. @returns the broken rules by the name of the field */
export function amountViolations(
  { minAmount = 0n, maxAmount }: OptionalBounds,
  kind: "evm" | "svm" | undefined,
): readonly (BrokenRule & { readonly field: "min_amount" | "max_amount" })[] {
  const largest = largestAmount(kind);
  const tooLarge = { rule: "amount.range", message: `must be at most ${kind === "svm" ? "2^64-1" : "2^256-1"}` };
  if (minAmount > largest) return [{ field: "min_amount", ...tooLarge }];
  if (maxAmount === undefined) return [];
  if (maxAmount > largest) return [{ field: "max_amount", ...tooLarge }];
  if (maxAmount === 0n) return [{ field: "max_amount", rule: "amount.zero", message: "must be above 0, or empty" }];
  if (minAmount <= maxAmount) return [];
  return [{ field: "max_amount", rule: "amount.order", message: "must not be below min_amount" }];
}
