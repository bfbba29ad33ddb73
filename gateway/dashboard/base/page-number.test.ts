import { expect, it } from "vitest";
import { withPageLanguage } from "../../web/texts/page-language.ts";
import { entryFrom } from "./page-number.ts";

const inEnglish = (text: string) => withPageLanguage("en", () => entryFrom("de", text));
const inGerman = (text: string) => withPageLanguage("de", () => entryFrom("en", text));

it("writes a number that was entered in another language as the page's own does", () => {
  expect(["0,25", "1.000.000,5", "1/3"].map(inEnglish)).toEqual(["0.25", "1,000,000.5", "1/3"]);
  expect(["0.25", "1,000,000.5", "1.250"].map(inGerman)).toEqual(["0,25", "1\u202f000\u202f000,5", "1,25"]);
});

it("keeps what is no number, but nothing that this page would read and the other one refused as ambiguous", () => {
  expect(["", "viel", "5.000", "5,000"].map(inEnglish)).toEqual(["", "viel", "", ""]);
});
