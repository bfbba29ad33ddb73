import type { Allocation } from "../record/allocation.ts";
import { allocationKey } from "./allocations-of.ts";

/** An allocation that isn't what a plan says. Amounts are raw; 0 where there is none. */
export interface AllocationDifference extends Omit<Allocation, "accepted"> {
  readonly planned: bigint;
  readonly actual: bigint;
}

/** Returns the differences between the allocations of a plan and those of a sale: first the planned ones in their order, then others. */
export function compareAllocations(
  planned: readonly Allocation[],
  actual: readonly Allocation[],
): readonly AllocationDifference[] {
  const left = new Map(actual.map((each) => [allocationKey(each), each]));
  const differences: AllocationDifference[] = [];
  for (const { accepted, ...names } of planned) {
    const key = allocationKey(names);
    const there = left.get(key)?.accepted ?? 0n;
    left.delete(key);
    if (there !== accepted) differences.push({ ...names, planned: accepted, actual: there });
  }
  for (const { accepted, ...names } of left.values()) differences.push({ ...names, planned: 0n, actual: accepted });
  return differences;
}
