import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasHiddenCharacters, withoutHiddenCharacters, withoutOuterBlanks } from "./hidden-characters.ts";

describe("hasHiddenCharacters", () => {
  it.each([
    ["a control", "Sale\u0007"],
    ["a line break", "Sale\nSale"],
    ["a zero-width space", "Sa\u200ble"],
    ["a soft hyphen", "Sa\u00adle"],
    ["a change of direction", "\u202eelaS"],
    ["a Hangul filler", "Sale\u3164"],
    ["a Hangul initial filler", "\u115fSale"],
    ["a halfwidth Hangul filler", "Sa\uffa0le"],
    ["a Braille blank", "Sale\u2800"],
    ["a blank hieroglyph", "Sale\u{13441}"],
    ["a tag", "Sale\u{e0041}"],
    ["a variation selector of ideographs", "Sale\u{e0100}"],
    ["half a character", "Sale\ud83d"],
    ["a character that doesn't exist", "Sale\u0378"],
    ["a joiner at the start", "\u200dSale"],
    ["a joiner after a space", "Sale \u200cx"],
    ["two joiners", "Sale\u200c\u200cx"],
    ["a joiner among Latin letters", "Tide\u200dmark"],
    ["a joiner after a mark on a Latin letter", "e\u0301\u200dx"],
    ["a variation selector after a letter", "Sale\ufe0f"],
    ["a variation selector after a digit", "Sale 1\ufe0f"],
    ["a variation selector after a full stop", "Sale.\ufe0f"],
  ])("finds %s", (_, text) => expect(hasHiddenCharacters(text)).toBe(true));

  it.each([
    ["letters", "Käuferportal"],
    ["a Persian word with a non-joiner", "می\u200cخواهم"],
    ["a Sinhala conjunct with a joiner", "ශ්\u200dරී"],
    ["an emoji of several", "👩\u200d💻 👨\u200d👩\u200d👧"],
    ["a coloured heart on fire", "❤\ufe0f\u200d🔥"],
    ["a keycap", "1\ufe0f\u20e3"],
    ["a skin tone", "👍🏽"],
    ["piled-up marks", "U\u0301\u0302"],
  ])("finds none in %s", (_, text) => expect(hasHiddenCharacters(text)).toBe(false));
});

it("withoutHiddenCharacters replaces each run, and leaves nothing that is hidden", () => {
  expect(withoutHiddenCharacters("a\u200b\u200bb\u3164", " ")).toBe("a b ");
  expect(withoutHiddenCharacters("می\u200cخواهم", " ")).toBe("می\u200cخواهم");
  const text = fc.string({ unit: fc.constantFrom("a", "❤", " ", "\ufe0f", "\u200d", "\u200b", "\u3164", "\n") });
  fc.assert(
    fc.property(text, (any) => {
      expect(hasHiddenCharacters(withoutHiddenCharacters(any, " "))).toBe(false);
    }),
  );
});

it.each([
  ["nothing", "a b", "a b"],
  ["spaces and line breaks", " \r\na b\u00a0\u3000", "a b"],
  ["hidden characters", "\ufeff\u200b\u2068a\u200bb\u2069\u3164", "a\u200bb"],
  ["all of one character", "\u200e1\u200e", "1"],
  ["all of a text that has nothing else", " \u200b\n", ""],
])("withoutOuterBlanks takes %s away", (_, text, rest) => expect(withoutOuterBlanks(text)).toBe(rest));
