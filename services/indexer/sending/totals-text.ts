import type { Snapshot } from "../../../common/contracts/source-snapshot.ts";

/** Returns a text that is the same for the same totals of allocations; undefined where the source doesn't say them. */
export function totalsText({ allocationTotals }: Pick<Snapshot, "allocationTotals">): string | undefined {
  if (allocationTotals === undefined) return undefined;
  const sorted = [...allocationTotals].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([token, amount]) => `${token}:${amount}`).join();
}
