import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactText } from "./exact-text.ts";
import { isNumber, NUMBER_WORDS, readExactNumber } from "./read-number.ts";

const read = (text: string) => {
  const number = readExactNumber(text);
  return isNumber(number) ? `${number.numerator}/${number.denominator}` : number.reason;
};

describe("readExactNumber", () => {
  it.each([
    ["0.25", "1/4"],
    ["0.25 USDC per token", "1/4"],
    ["$0.25", "1/4"],
    ["€ 12.50", "25/2"],
    [".5", "1/2"],
    ["7.", "7/1"],
    ["1,000,000", "1000000/1"],
    ["1 000 000.5 tokens", "2000001/2"],
    ["1'250", "1250/1"],
    ["1_000", "1000/1"],
    ["1/3", "1/3"],
    ["2 / 6 USDC", "1/3"],
    ["0", "0/1"],
    ["007", "7/1"],
    ["0.000000000000000001", "1/1000000000000000000"],
    ["115792089237316195423570985008687907853269984665640564039457584007913129639935", `${2n ** 256n - 1n}/1`],
  ])("reads %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ["", "Enter a number"],
    ["-1", "It can’t be negative"],
    ["0,25", "Write 0.25 with a point if that is meant"],
    ["0,125", "Write 0.125 with a point if that is meant"],
    ["0,000,125", "Write a number such as 0.25, 1,000,000 or 1/3"],
    ["0 125", "Write a number such as 0.25, 1,000,000 or 1/3"],
    ["1,00,000", "Write a number such as 0.25, 1,000,000 or 1/3"],
    ["1.000.000", "Write a number such as 0.25, 1,000,000 or 1/3"],
    ["1e3", "Write a number such as 0.25, 1,000,000 or 1/3"],
    ["0x10", "Write a number such as 0.25, 1,000,000 or 1/3"],
    ["1/0", "The number after / can’t be 0"],
    ["a quarter", "Write a number such as 0.25, 1,000,000 or 1/3"],
    ["٣", "Write a number such as 0.25, 1,000,000 or 1/3"],
    ["9".repeat(201), "Write at most 200 characters"],
  ])("says why it can't read %j", (text, reason) => {
    expect(read(text)).toBe(reason);
  });

  it.each(["5.000", "5,000", "$125.500"])("refuses %s in a language with a comma before decimals", (text) => {
    const number = readExactNumber(text, NUMBER_WORDS, "de");
    const [whole = "", decimals = ""] = text.replace("$", "").split(/[.,]/);
    expect(number).toEqual({ reason: `Write ${whole}${decimals} or ${whole}.${decimals}0, whichever is meant` });
    expect(isNumber(readExactNumber(text))).toBe(true);
  });

  it.each(["5000", "5.0000", "0.125", "1,000,000", "5 000", "1,000.50"])("reads %s alike in every language", (text) => {
    const number = readExactNumber(text, NUMBER_WORDS, "de");
    expect(isNumber(number)).toBe(true);
    expect(number).toEqual(readExactNumber(text));
  });
});

it("writes what it reads back as the same number", () => {
  const number = fc.record({ numerator: fc.bigInt(0n, 2n ** 128n), denominator: fc.bigInt(1n, 10n ** 24n) });
  fc.assert(
    fc.property(number, ({ numerator, denominator }) => {
      const back = readExactNumber(exactText({ numerator, denominator }));
      if (!isNumber(back)) return false;
      return back.numerator * denominator === numerator * back.denominator;
    }),
  );
});
