import { describe, expect, it } from "vitest";
import { recentHistory } from "./recent-history.ts";

const block = (height: number) => ({ header: { number: `0x${height.toString(16)}` }, transactions: [] });
const mined = (height: number) => ({ block_number: height, info: {} });

function state(heights: readonly number[]) {
  return { best_block_number: Math.max(...heights), accounts: { "0x00": { nonce: 1 } }, blocks: heights.map(block) };
}

describe("the recent history of a chain", () => {
  it("has the newest blocks with their transactions, and all that isn't history, in any order", () => {
    const heights = [12, 0, 11, 3, 10];
    const whole = { ...state(heights), transactions: [11, 3, 12].map(mined) };
    expect(JSON.parse(recentHistory(JSON.stringify(whole), 2))).toEqual({
      ...whole,
      blocks: [12, 11].map(block),
      transactions: [11, 12].map(mined),
    });
  });

  it("is all of a short chain", () => {
    const whole = JSON.stringify({ ...state([0, 1, 2]), transactions: [mined(1)] });
    expect(recentHistory(whole, 10)).toBe(whole);
  });

  it.each([
    ["half a file", '{"block":', "JSON"],
    ["no object", "null", "best_block_number is no block number"],
    ["no blocks", '{"best_block_number":1}', "blocks is no list"],
    [
      "a block without a number",
      '{"best_block_number":1,"blocks":[{}],"transactions":[]}',
      "number is no block number",
    ],
  ])("isn't made of %s", (_, text, words) => {
    expect(() => recentHistory(text, 1)).toThrow(words);
  });
});
