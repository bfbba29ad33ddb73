import { expect, it } from "vitest";
import { groupedText, timesPowerOfTen, wholeMultiple } from "./exact-number.ts";
import { decimalText, exactText } from "./exact-text.ts";

const MAX = 2n ** 256n - 1n;

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

it("writes a number as a language does, exactly", () => {
  expect(groupedText({ numerator: 2n ** 60n * 10n + 1n, denominator: 10n }, "de")).toBe("1.152.921.504.606.846.976,1");
  expect(groupedText({ numerator: 10_000n, denominator: 3n }, "de")).toBe("10.000/3");
});

it("shifts by decimals and finds whole multiples", () => {
  const quarter = { numerator: 1n, denominator: 4n };
  expect(timesPowerOfTen(quarter, -12)).toEqual({ numerator: 1n, denominator: 4_000_000_000_000n });
  expect(timesPowerOfTen(quarter, 6)).toEqual({ numerator: 250_000n, denominator: 1n });
  expect(wholeMultiple({ numerator: 1n, denominator: 1n }, quarter)).toBe(4n);
  expect(wholeMultiple({ numerator: 1n, denominator: 3n }, quarter)).toBeUndefined();
});

it.each([
  [0n, 0, "0"],
  [0n, 18, "0"],
  [1n, 18, "0.000000000000000001"],
  [1_500_000n, 6, "1.5"],
  [360_346_340_000n, 6, "360346.34"],
  [1_000n, 0, "1000"],
  [10n ** 36n, 36, "1"],
  [MAX, 0, String(MAX)],
])("writes %s units of %i decimals exactly: %s", (units, decimals, text) => {
  expect(decimalText(units, decimals)).toBe(text);
});

it.each([
  [0n, 7n, "0"],
  [629n, 1_000n, "0.629"],
  [6_290n, 10_000n, "0.629"],
  [1n, 3n, "1/3"],
  [20n, 30n, "2/3"],
  [7n, 7n, "1"],
  [1n, 1_024n, "0.0009765625"],
])("writes %s/%s exactly: %s", (numerator, denominator, text) => {
  expect(exactText({ numerator, denominator })).toBe(text);
});

it("writes a decimal that has more places than are wanted as a fraction", () => {
  expect(exactText({ numerator: 1n, denominator: 2n ** 255n }, 40)).toBe(`1/${2n ** 255n}`);
});
