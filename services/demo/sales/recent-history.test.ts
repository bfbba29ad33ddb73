import { describe, expect, it } from "vitest";
import { recentHistory } from "./recent-history.ts";

const block = (height: number) => ({ header: { number: `0x${height.toString(16)}` }, transactions: [] });
const mined = (height: number) => ({ block_number: height, info: {} });

function state(heights: readonly number[]) {
  return { best_block_number: Math.max(...heights), accounts: { "0x00": { nonce: 1 } }, blocks: heights.map(block) };
}

describe("the recent history of a chain", () => {
  it("has the newest blocks with their transactions, in any order, and everything that isn't history", () => {
    const heights = [12, 0, 11, 3, 10];
    const whole = { ...state(heights), transactions: [11, 3, 12].map(mined) };
    expect(JSON.parse(recentHistory(JSON.stringify(whole), 2))).toEqual({
      ...whole,
      blocks: [12, 11].map(block),
      transactions: [11, 12].map(mined),
    });
  });

  it("is the whole of a short chain", () => {
    const whole = JSON.stringify({ ...state([0, 1, 2]), transactions: [mined(1)] });
    expect(recentHistory(whole, 10)).toBe(whole);
  });

  it.each([
    ["half a file", '{"block":', "JSON"],
    ["no object", "null", "best_block_number isn't a block number"],
    ["no blocks", '{"best_block_number":1}', "blocks isn't a list"],
    [
      "a block without a number",
      '{"best_block_number":1,"blocks":[{}],"transactions":[]}',
      "number isn't a block number",
    ],
  ])("rejects %s", (_, text, message) => {
    expect(() => recentHistory(text, 1)).toThrow(message);
  });
});
