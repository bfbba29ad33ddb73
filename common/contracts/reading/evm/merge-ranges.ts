import type { IndexRange } from "../../contract-facts.ts";

/** Ranges that cover the given indexes, and all from `count` (inclusive) to `newCount` (exclusive). Neighbours are joined. */
export function mergeRanges(indexes: readonly bigint[], count: bigint, newCount: bigint): readonly IndexRange[] {
  const ranges: { from: bigint; to: bigint }[] = [];
  const singles = indexes.map((index) => ({ from: index, to: index + 1n }));
  const added = newCount > count ? [{ from: count, to: newCount }] : [];
  for (const range of [...singles, ...added].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = ranges.at(-1);
    if (last === undefined || range.from > last.to) ranges.push(range);
    else if (range.to > last.to) last.to = range.to;
  }
  return ranges;
}
