import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { looksLikeProduct } from "./product-name.ts";

/** Ways to write each letter, from Unicode's table of confusables and by case, width and mark. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  t: ["t", "T", "Т", "т", "Τ", "Ꭲ", "ｔ", "𝐭", "𝕋", "ⓣ", "t\u0323", "ᴛ", "ŧ", "Ʈ", "🅣", "🆃"],
  i: [
    "i",
    "I",
    "l",
    "1",
    "|",
    "і",
    "І",
    "ı",
    "ӏ",
    "Ι",
    "ι",
    "ⅰ",
    "í",
    "𝒊",
    "ɪ",
    "١",
    "ł",
    "ɨ",
    "Ɨ",
    "🅘",
    "˛",
    "ͺ",
    "￨",
  ],
  d: ["d", "D", "ԁ", "ⅾ", "Ꭰ", "ꓒ", "ď", "𝖽", "đ", "ɖ", "Ð", "🅓"],
  e: ["e", "E", "е", "Е", "Ε", "℮", "ｅ", "é", "𝓮", "ɇ", "ᴇ", "🅔"],
  m: ["m", "M", "М", "м", "Μ", "rn", "ⅿ", "Rn", "𝗺", "Ⲙ", "ɱ", "ӎ", "ᴍ", "🅼"],
  a: ["a", "A", "а", "А", "Α", "α", "ɑ", "å", "𝛂", "ᾳ", "ẚ", "Ɑ", "🅰"],
  r: ["r", "R", "г", "Ꭱ", "ʀ", "ř", "𝚛", "ɍ", "Г", "ғ", "🆁"],
  k: ["k", "K", "К", "к", "Κ", "κ", "ķ", "\u212a", "𝔨", "қ", "ƙ", "₭", "🅺"],
};

const arbitraryTwin = fc
  .tuple(
    ...[..."tidemark"].map((letter) => fc.constantFrom(...(SPELLINGS[letter] ?? []))),
    fc.array(fc.constantFrom(" ", "\u00a0", "-", ".", "_", "\u200d", "\ufe0f", "!"), { maxLength: 4 }),
    fc.nat({ max: 8 }),
  )
  .map((parts) => {
    const letters = parts.slice(0, 8) as readonly string[];
    const [between, at] = parts.slice(8) as [readonly string[], number];
    return [...letters.slice(0, at), ...between, ...letters.slice(at)].join("");
  });

describe("looksLikeProduct", () => {
  it("finds each spelling of the product's name", () => {
    fc.assert(
      fc.property(arbitraryTwin, (name) => looksLikeProduct(name)),
      { numRuns: 500 },
    );
  });

  it.each([
    "Tide Markets",
    "Tidemark Capital",
    "Tidmark",
    "Harbour",
    "Тайдмарк",
    "Tide",
    "タイドマーク",
    "",
    "rn",
    "Landmark",
    "Tidemarks",
    "Tidemark 2",
    "Tldemart",
  ])("takes %j for a name of its own", (name) => expect(looksLikeProduct(name)).toBe(false));
});
