import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../platform/language/language.ts";
import { exactText } from "./exact-text.ts";
import { NUMBER_WORDS } from "./number-words.ts";
import { isNumber, readExactNumber } from "./read-number.ts";

const readIn = (language: string, text: string) => readExactNumber(text, NUMBER_WORDS, language);
const read = (text: string, language = "en") => {
  const number = readIn(language, text);
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
    const number = readIn("de", text);
    const [whole = "", decimals = ""] = text.replace("$", "").split(/[.,]/);
    const reason = `Write ${whole}${decimals} or ${whole}.${decimals}0, whichever is meant`;
    expect(number).toEqual({ reason, isAmbiguous: true });
    expect(isNumber(readIn("en", text))).toBe(true);
  });

  it.each(["5000", "5.0000", "0.125", "1,000,000", "5 000", "1,000.50"])("reads %s alike in every language", (text) => {
    const number = readIn("de", text);
    expect(isNumber(number)).toBe(true);
    expect(number).toEqual(readIn("en", text));
  });

  it.each([
    ["0,25", "1/4"],
    ["0,125", "1/8"],
    [",5", "1/2"],
    ["1,2500", "5/4"],
    ["12,50 €", "25/2"],
    ["1.000.000", "1000000/1"],
    ["1.000.000,5 USDC", "2000001/2"],
    ["1.250,50", "2501/2"],
    ["1’250,5", "2501/2"],
  ])("reads %s in a language with a comma before decimals, and refuses it in one with a point", (text, expected) => {
    expect(read(text, "de")).toBe(expected);
    expect(isNumber(readIn("en", text))).toBe(false);
  });

  it.each(["5 million", "5 M", "10 Mio. USDC", "1.5 bn", "2 Tsd.", "5M", "50 cents", "50 ct", "1/2 Million"])(
    "refuses %s, which is another number than its digits",
    (text) => {
      for (const language of LANGUAGES) expect(read(text, language)).toBe(NUMBER_WORDS.example);
    },
  );
});

const MARKS = [".", ",", "'", "’", " ", "\u202f", "_", "/", "$", "€", " USDC", "0", "00", "000", "125", "5"];
const ENTRIES = fc.oneof(
  fc.array(fc.constantFrom(...MARKS), { maxLength: 8 }).map((parts) => parts.join("")),
  fc
    .tuple(fc.nat({ max: 9_999 }), fc.constantFrom(".", ","), fc.stringMatching(/^\d{1,4}$/))
    .map(([whole, mark, places]) => `${whole}${mark}${places}`),
);

it("reads an entry as the same number in every language, or refuses it", () => {
  const locales = [...LANGUAGES, "de-CH", "fr", "es", "pt-BR", "pl", "en-IN", "ja"];
  fc.assert(
    fc.property(ENTRIES, (text) => {
      const numbers = locales.map((language) => readIn(language, text)).filter(isNumber);
      expect(new Set(numbers.map(({ numerator, denominator }) => `${numerator}/${denominator}`)).size).toBeLessThan(2);
    }),
    { numRuns: 3_000 },
  );
});

it("never reads decimals after a leading zero as thousands", () => {
  const leading = fc.tuple(fc.constantFrom(".", ","), fc.stringMatching(/^\d{1,9}$/));
  fc.assert(
    fc.property(leading, fc.constantFrom(...LANGUAGES), ([mark, places], language) => {
      const number = readIn(language, `0${mark}${places}`);
      return !isNumber(number) || Number(number.numerator) / Number(number.denominator) === Number(`0.${places}`);
    }),
  );
});

it("writes what it reads back as the same number", () => {
  const number = fc.record({ numerator: fc.bigInt(0n, 2n ** 128n), denominator: fc.bigInt(1n, 10n ** 24n) });
  fc.assert(
    fc.property(number, ({ numerator, denominator }) => {
      const back = readIn("en", exactText({ numerator, denominator }));
      if (!isNumber(back)) return false;
      return back.numerator * denominator === numerator * back.denominator;
    }),
  );
});
