import { areEqual, type TokenAmounts } from "../../../../common/sale/record/token-amounts.ts";
import type { SaleAllocations } from "./sale-allocations.ts";
import type { SaleState } from "./sale-state.ts";

/** Allocations that are known. */
export interface KnownAllocations extends SaleAllocations {
  readonly expected: TokenAmounts;
}

/** Whether a sale is being settled, or settled: only then may it have allocations. */
export function isSettling({ status, stage }: Pick<SaleState, "status" | "stage">): boolean {
  return status === "settled" || (status === "open" && (stage === "settlement" || stage === "done"));
}

/** Returns the allocations as readers are shown them; undefined as long as they aren't known. */
export function shownAllocations(
  state: Pick<SaleState, "status" | "stage" | "allocations">,
): KnownAllocations | undefined {
  const { allocations } = state;
  if (allocations?.expected === undefined || !isSettling(state)) return undefined;
  return { ...allocations, expected: allocations.expected };
}

/** Whether the sums of the rows aren't the totals that the source says. */
export function differ({ accepted, expected }: KnownAllocations): boolean {
  return !areEqual(accepted, expected);
}

/** Whether readers are shown other allocations as a whole. */
export function showsOthers(before: SaleState, after: SaleState): boolean {
  const [some, others] = [shownAllocations(before), shownAllocations(after)];
  if (some === undefined || others === undefined) return some !== others;
  if (some.version !== others.version || !areEqual(some.accepted, others.accepted)) return true;
  return !areEqual(some.expected, others.expected);
}
