import { describe, expect, it } from "vitest";
import type { SourcePosition } from "../../../chains/base/source-position.ts";
import type { LoggedBlock } from "./logged-changes.ts";
import { RecentBlocks } from "./recent-blocks.ts";

const MAX_ENTITIES = 5;

function positionAt(height: number): SourcePosition {
  return { height: BigInt(height), hash: `h${height}` };
}

function logged(height: number, commitments: readonly string[], isUnclear = false): LoggedBlock {
  return { ...positionAt(height), commitments: new Set(commitments), isUnclear };
}

/** Blocks since a sweep at height 10. */
function sinceTen(...blocks: readonly LoggedBlock[]): RecentBlocks {
  const recent = new RecentBlocks(MAX_ENTITIES);
  recent.restart(positionAt(10));
  for (const block of blocks) recent.append([block], positionAt(Number(block.height)));
  return recent;
}

function heights(recent: RecentBlocks): readonly number[] {
  return recent.newestFirst().map(({ height }) => Number(height));
}

describe("RecentBlocks", () => {
  it("says which commitments changed after a block", () => {
    const recent = sinceTen(logged(11, ["a"]), logged(13, ["b", "c"]), logged(14, ["a"]));
    expect(heights(recent)).toEqual([14, 13, 11, 10]);
    expect(recent.commitmentsAfter(positionAt(11))).toEqual(new Set(["b", "c", "a"]));
    expect(recent.commitmentsAfter(positionAt(14))).toEqual(new Set());
  });

  it("keeps the position of a read at whose block there is no log", () => {
    const recent = sinceTen();
    recent.append([logged(11, ["a"])], positionAt(12));
    expect(heights(recent)).toEqual([12, 11, 10]);
    expect(recent.commitmentsAfter(positionAt(10))).toEqual(new Set(["a"]));
  });

  it("says how many rows there were where the contract was read", () => {
    const recent = sinceTen();
    recent.append([logged(11, ["a"]), logged(12, ["b"])], { ...positionAt(12), count: 7n });
    recent.append([], { ...positionAt(13), count: 8n });
    recent.prepend(positionAt(10), positionAt(5), []);
    expect(recent.newestFirst().map(({ count }) => count)).toEqual([8n, 7n, undefined, undefined, undefined]);
  });

  it("forgets the blocks that were abandoned", () => {
    const recent = sinceTen(logged(11, ["a"]), logged(12, ["b"]));
    recent.cutAfter(positionAt(11));
    recent.append([logged(12, ["c"])], positionAt(12));
    expect(recent.commitmentsAfter(positionAt(10))).toEqual(new Set(["a", "c"]));
  });

  it("gets the blocks before a sweep later", () => {
    const recent = sinceTen(logged(11, ["a"]));
    recent.prepend(positionAt(10), positionAt(5), [logged(7, ["x"]), logged(10, ["y"])]);
    expect(heights(recent)).toEqual([11, 10, 7, 5]);
    expect(recent.commitmentsAfter(positionAt(7))).toEqual(new Set(["y", "a"]));
    recent.prepend(positionAt(10), positionAt(1), []);
    expect(heights(recent)).toEqual([11, 10, 7, 5]);
  });

  it.each<[string, readonly LoggedBlock[], readonly number[]]>([
    ["a limit of commitments", [logged(11, ["a", "b"]), logged(12, ["c", "d"]), logged(13, ["a", "b"])], [13, 12, 11]],
    ["a block in which more may have changed", [logged(11, ["a"]), logged(12, [], true), logged(13, ["b"])], [13, 12]],
    ["a limit of blocks", Array.from({ length: 200 }, (_, index) => logged(11 + index, [])), heightsDown(210, 128)],
  ])("goes back no further than %s", (_, blocks, expected) => {
    expect(heights(sinceTen(...blocks))).toEqual(expected);
  });
});

function heightsDown(from: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => from - index);
}
