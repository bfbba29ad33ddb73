import { describe, expect, it } from "vitest";
import { mergeRanges } from "./merge-ranges.ts";

describe("mergeRanges", () => {
  it.each<[readonly bigint[], bigint, bigint, readonly (readonly [bigint, bigint])[]]>([
    [[], 5n, 5n, []],
    [[], 5n, 8n, [[5n, 8n]]],
    [[3n, 1n, 2n], 5n, 5n, [[1n, 4n]]],
    [
      [9n, 0n, 4n],
      10n,
      12n,
      [
        [0n, 1n],
        [4n, 5n],
        [9n, 12n],
      ],
    ],
    [[2n, 2n], 5n, 5n, [[2n, 3n]]],
    [[], 0n, 1n, [[0n, 1n]]],
  ])("covers %s and %s to %s", (indexes, count, newCount, ranges) => {
    expect(mergeRanges(indexes, count, newCount)).toEqual(ranges.map(([from, to]) => ({ from, to })));
  });
});
