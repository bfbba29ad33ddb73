import { addAmounts, type TokenAmounts } from "../../../../common/sale/record/token-amounts.ts";

/** A set of allocations of which the last part is missing. */
export interface OpenAllocationSet {
  readonly uuid: string;
  /** The version of its rows. */
  readonly version: bigint;
  readonly nextPart: number;
  /** The sums of the parts so far. */
  readonly accepted: TokenAmounts;
}

/** The allocations of a sale as a whole, as far as they are known. */
export interface SaleAllocations {
  /** The version of the rows that readers are shown. Always 0 in a sale with a source. */
  readonly version: bigint;
  /** The sums of these rows, as of the last revision. */
  readonly accepted: TokenAmounts;
  /** The sums of the rows as they are stored while a change set is open, or abandoned; absent where they are `accepted`. */
  readonly stored?: TokenAmounts;
  /** The totals that the source or the feeder says. Absent while allocations aren't known. */
  readonly expected?: TokenAmounts;
  /** Only in a sale without a source. */
  readonly open?: OpenAllocationSet;
}

/** The allocations of a sale before anything is known of them. */
export const NO_ALLOCATIONS: SaleAllocations = { version: 0n, accepted: new Map() };

/**
 * Returns the allocations of a sale with a source after an apply; undefined where nothing is known and no row is left.
 *
 * @param sums the differences that the apply makes to the sums of the rows
 * @param expected the totals that the apply says; undefined for none
 */
export function afterApply(
  before: SaleAllocations | undefined,
  sums: ReadonlyMap<string, bigint>,
  expected: TokenAmounts | undefined,
): SaleAllocations | undefined {
  if (before === undefined && expected === undefined && sums.size === 0) return undefined;
  const accepted = storedAfter(before ?? NO_ALLOCATIONS, sums);
  if (accepted.size === 0 && expected === undefined) return undefined;
  return { version: 0n, accepted, ...(expected && { expected }) };
}

/** Returns the allocations of a sale with a source after a part of a change set, whose rows nobody is shown yet. */
export function afterPart(
  before: SaleAllocations | undefined,
  sums: ReadonlyMap<string, bigint>,
): SaleAllocations | undefined {
  if (sums.size === 0) return before;
  const allocations = before ?? NO_ALLOCATIONS;
  return { ...allocations, stored: storedAfter(allocations, sums) };
}

function storedAfter({ accepted, stored }: SaleAllocations, sums: ReadonlyMap<string, bigint>): TokenAmounts {
  return addAmounts(stored ?? accepted, sums);
}

/** Returns allocations that aren't known any more. Their version stays, as the next one must be greater. */
export function forgotten({ version, open }: SaleAllocations): SaleAllocations {
  return { version: open?.version ?? version, accepted: NO_ALLOCATIONS.accepted };
}
