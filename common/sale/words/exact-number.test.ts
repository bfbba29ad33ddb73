import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactText, groupedText, isNumber, readExactNumber, timesPowerOfTen, wholeMultiple } from "./exact-number.ts";

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

it("groups thousands, before the point only", () => {
  const texts = [
    [1234567n, 1n],
    [123n, 1n],
    [12345678n, 10000n],
    [10000n, 3n],
  ] as const;
  expect(texts.map(([numerator, denominator]) => groupedText({ numerator, denominator }))).toEqual([
    "1,234,567",
    "123",
    "1,234.5678",
    "10,000/3",
  ]);
});

it("shifts by decimals and finds whole multiples", () => {
  const quarter = { numerator: 1n, denominator: 4n };
  expect(timesPowerOfTen(quarter, -12)).toEqual({ numerator: 1n, denominator: 4_000_000_000_000n });
  expect(timesPowerOfTen(quarter, 6)).toEqual({ numerator: 250_000n, denominator: 1n });
  expect(wholeMultiple({ numerator: 1n, denominator: 1n }, quarter)).toBe(4n);
  expect(wholeMultiple({ numerator: 1n, denominator: 3n }, quarter)).toBeUndefined();
});
