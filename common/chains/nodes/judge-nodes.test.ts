import { expect, it } from "vitest";
import { type AskedNode, judgeNodes } from "./judge-nodes.ts";

const NOW_MS = 1_800_000_000_000;
const CHAIN = { name: "here", unit: "block", maxHeadLag: 10 };

function node(host: string, change: Partial<AskedNode> = {}): AskedNode {
  return { host, isRead: true, head: { height: 100n, timeSeconds: 1_799_999_990n }, ...change };
}

function judged(...nodes: readonly AskedNode[]) {
  return judgeNodes(CHAIN, nodes, NOW_MS).map(({ level, subject, text }) => `${level} ${subject}: ${text}`);
}

const at = (height: bigint, age: bigint): Partial<AskedNode> => ({
  head: { height, timeSeconds: 1_800_000_000n - age },
});
const away: Partial<AskedNode> = { head: undefined, failure: { text: "two: gone", isSetting: false } };
const wrong: Partial<AskedNode> = { head: undefined, failure: { text: "two: of another chain", isSetting: true } };

it("passes a node that follows its chain", () => {
  expect(judged(node("one"), node("two", { isRead: false, head: undefined }))).toEqual([
    "ok chain here, one: is of this chain, and at block 100",
    "ok chain here, two: answers by WebSocket, and is of this chain",
  ]);
  expect(judged(node("one", at(1n, 300n)))).toEqual([expect.stringMatching(/^ok/)]);
  expect(judged(node("one", { head: { height: 7n, timeSeconds: undefined } }))).toEqual([expect.stringMatching(/^ok/)]);
});

it("names a head that is old, from the future, or behind another", () => {
  expect(judged(node("one", at(5n, 301n)))).toEqual([
    "warning chain here, one: its newest block is 301 s old, so the node doesn't follow its chain, or the chain stands still",
  ]);
  expect(judged(node("one", at(5n, -31n)))).toEqual([
    "warning chain here, one: its newest block is 31 s ahead of this process's clock",
  ]);
  expect(judged(node("one", at(90n, 1n)), node("two", at(100n, 1n)))).toEqual([
    expect.stringMatching(/^ok/),
    expect.stringMatching(/^ok/),
  ]);
  expect(judged(node("one", at(89n, 1n)), node("two", at(100n, 1n)))).toEqual([
    "warning chain here, one: is 11 blocks behind another node of the chain",
    "ok chain here, two: is of this chain, and at block 100",
  ]);
});

it("fails a node of another chain, and one that is away if no other can be read", () => {
  expect(judged(node("one"), node("two", away))[1]).toBe(
    "warning chain here, two: two: gone; others of the chain answer",
  );
  expect(judged(node("two", away))).toEqual(["failed chain here, two: two: gone"]);
  expect(judged(node("two", away), node("three", { isRead: false, head: undefined }))[0]).toMatch(/^failed/);
  expect(judged(node("one"), node("two", wrong))[1]).toBe("failed chain here, two: two: of another chain");
});
