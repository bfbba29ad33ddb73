import { expect, it } from "vitest";
import { DIRECTIONS, LANGUAGES } from "../../common/platform/language/language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { pseudoText, speakPseudoLanguage } from "./pseudo-language.ts";
import { leavesOf, placesOf } from "./text-leaves.ts";

it("the pseudo-language has the English texts in other letters, until it ends", () => {
  const german = structuredClone(TEXTS.de);
  const end = speakPseudoLanguage();
  expect(DIRECTIONS.de).toBe("rtl");
  const english = leavesOf(TEXTS.en);
  for (const [name, text] of leavesOf(TEXTS.de)) {
    expect([name, placesOf(text)]).toStrictEqual([name, placesOf(english.get(name))]);
    expect(
      JSON.stringify(typeof text === "string" ? text : Object.values(text)).replaceAll(/\{\w+\}/g, ""),
    ).not.toMatch(/[a-z]/i);
  }
  end();
  expect(TEXTS.de).toStrictEqual(german);
  expect(DIRECTIONS.de).toBe("ltr");
});

it("is spoken by no page that isn't told to", () => {
  expect(LANGUAGES.filter((language) => DIRECTIONS[language] === "rtl")).toStrictEqual([]);
  expect(pseudoText("Zoo {at}")).toBe("ףסס {at}");
});
