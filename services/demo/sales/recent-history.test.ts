import { describe, expect, it } from "vitest";
import { recentHistory } from "./recent-history.ts";

const block = (height: number) => ({ header: { number: `0x${height.toString(16)}` }, transactions: [] });
const keeps = (bloom: unknown) => bloom === "0x1";
const mined = (height: number) => ({ block_number: height, info: {} });

function state(heights: readonly number[]) {
  return { best_block_number: Math.max(...heights), accounts: { "0x00": { nonce: 1 } }, blocks: heights.map(block) };
}

describe("the recent history of a chain", () => {
  it("has the newest blocks with their transactions, in any order, and everything that isn't history", () => {
    const heights = [12, 0, 11, 3, 10];
    const whole = { ...state(heights), transactions: [11, 3, 12].map(mined) };
    expect(JSON.parse(recentHistory(JSON.stringify(whole), 2, keeps))).toEqual({
      ...whole,
      blocks: [12, 11].map(block),
      transactions: [11, 12].map(mined),
    });
  });

  it("has the older blocks that are kept, without their transactions", () => {
    const withLogs = (height: number, logsBloom: string) => ({
      header: { number: height, logsBloom },
      transactions: [],
    });
    const [kept, dropped] = [withLogs(3, "0x1"), withLogs(4, "0x2")];
    const whole = { ...state([10]), blocks: [kept, dropped, block(10)], transactions: [3, 4].map(mined) };
    expect(JSON.parse(recentHistory(JSON.stringify(whole), 2, keeps))).toMatchObject({
      blocks: [kept, block(10)],
      transactions: [],
    });
  });

  it("is the whole of a short chain", () => {
    const whole = JSON.stringify({ ...state([0, 1, 2]), transactions: [mined(1)] });
    expect(recentHistory(whole, 10, keeps)).toBe(whole);
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
    expect(() => recentHistory(text, 1, keeps)).toThrow(message);
  });
});
