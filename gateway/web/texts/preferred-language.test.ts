import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../common/platform/language/language.ts";
import { acceptedLanguage, firstKnownLanguage } from "./preferred-language.ts";

describe("the language that a browser prefers", () => {
  it.each([
    [undefined, "en"],
    ["", "en"],
    ["de", "de"],
    ["DE", "de"],
    ["de-CH", "de"],
    ["de-Latn-AT-1996", "de"],
    ["en-GB,de;q=0.9", "en"],
    ["de;q=0.8, en;q=0.9", "en"],
    ["de ; q=0.8 ,en;q=0.7", "de"],
    ["de;q=0.8, en;q=0.8", "de"],
    ["fr, it;q=0.9, de;q=0.1", "de"],
    ["fr-CH, fr;q=0.9", "en"],
    ["fr, *;q=0.5", "en"],
    ["*", "en"],
    ["*, en;q=0", "de"],
    ["en;q=0, de;q=0.1", "de"],
    ["de;q=0, de-CH", "en"],
    ["de;q=0", "en"],
    ["de;q=0.0001, en;q=0.5", "en"],
    ["de;q=1.000", "de"],
    ["de;q=2", "en"],
    ["de;q=", "en"],
    ["deutsch", "en"],
    ["de-", "en"],
    ["de_DE", "en"],
    [";;;,,,q=1,de", "de"],
    [`${"fr,".repeat(31)}de`, "de"],
    [`${"fr,".repeat(32)}de`, "en"],
  ])("of %j is %s", (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });

  it("is one of ours, whatever the header says", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (header) => {
        expect(LANGUAGES).toContain(acceptedLanguage(header));
      }),
    );
  });
});

describe("the language that an application asks for", () => {
  it.each([
    ["", undefined],
    ["de", "de"],
    ["fr-CA fr de-AT en", "de"],
    ["EN-us", "en"],
    ["fr it", undefined],
    ["__proto__ constructor", undefined],
    ["  de", "de"],
  ])("of %j is %s", (tags, language) => {
    expect(firstKnownLanguage(tags)).toBe(language);
  });
});
