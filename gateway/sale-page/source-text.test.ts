import { describe, expect, it } from "vitest";
import { FEED_FAULTS } from "../../common/sale/words/feed-fault.ts";
import { sourceText } from "./browser/source-text.js";
import { inLanguage } from "./view/in-language.ts";

const textOf = (Fault: string) => sourceText({ AsOf: null, Fault }).sentence;

describe("a fault of a sale's figures", () => {
  it.each(Object.values(FEED_FAULTS))("is written in the reader's language: %s", (sentence) => {
    expect(inLanguage("en", () => textOf(sentence)).replaceAll("’", "'")).toBe(sentence);
    expect(inLanguage("de", () => textOf(sentence))).not.toBe(sentence);
  });

  it("of a later server is written in the server's words", () => {
    expect(inLanguage("de", () => textOf("The moon is full."))).toBe("The moon is full.");
  });
});
