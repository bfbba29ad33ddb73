import { describe, expect, it } from "vitest";
import { tokenSymbol } from "./token-symbol.ts";

describe("tokenSymbol", () => {
  it.each(["USDC", "USD₮0", "stETH", "$WIF", "Cake LP", "УКР", "x".repeat(32)])("keeps %s", (symbol) => {
    expect(tokenSymbol(` ${symbol} `)).toBe(symbol);
  });

  it.each([
    ["nothing", ""],
    ["mark-up", "<b>USDC</b>"],
    ["an entity", "USD&amp;"],
    ["a quotation mark", 'USDC"'],
    ["a line break", "USDC\nSend"],
    ["two spaces", "USDC  A"],
    ["a control character", "USDC\u0000"],
    ["a direction mark", "\u202eCDSU"],
    ["a character without width", "US\u200bDC"],
    ["piled-up marks", "U\u0301\u0302\u0303"],
    ["letters from right to left", "שקל"],
    ["half a character", "\ud83d"],
    ["a Hangul filler", "USDC\u3164"],
    ["a Hangul initial filler alone", "\u115f"],
    ["a halfwidth filler", "US\uffa0DC"],
    ["a Braille blank", "\u2800"],
    ["too many characters", "x".repeat(33)],
    ["bytes that are no text", new TextDecoder().decode(new Uint8Array([0x55, 0xff, 0x44]))],
  ])("refuses %s", (_, symbol) => {
    expect(tokenSymbol(symbol)).toBeUndefined();
  });
});
