import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LANGUAGE_NAMES, LANGUAGES } from "../../../common/platform/language/language.ts";
import { MAIL_TEXTS } from "../../../services/auth/mail/texts/mail-texts.ts";
import { REPOSITORY_ROOT, readRepository } from "../../../test/support/repository/repository.ts";
import { leavesOf, placesOf, unusedTexts } from "../../testing/text-leaves.ts";
import { TEXTS } from "./texts.ts";

/** Categories that a count can have in a language: each needs its form. */
const categories = (language: string) => new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();

describe.each([
  ["pages", TEXTS],
  ["mails", MAIL_TEXTS],
] as const)("the texts of %s", (_, texts) => {
  const english = leavesOf(texts.en);

  it.each(LANGUAGES.filter((language) => language !== "en"))(
    "in %s have the places of the English ones",
    (language) => {
      const translated = leavesOf(texts[language]);
      expect([...translated.keys()]).toStrictEqual([...english.keys()]);
      for (const [name, text] of translated)
        expect([name, placesOf(text)]).toStrictEqual([name, placesOf(english.get(name))]);
    },
  );

  it.each(LANGUAGES)("in %s are whole: none is empty, and each count has its forms", (language) => {
    for (const [name, text] of leavesOf(texts[language])) {
      const forms = typeof text === "string" ? [text] : Object.values(text);
      expect([name, forms.every((form) => form.trim() === form && form !== "")]).toStrictEqual([name, true]);
      if (typeof text !== "string") expect(Object.keys(text).toSorted()).toStrictEqual(categories(language));
    }
  });

  it("are all used", () => {
    const files = globSync("{gateway,services/auth,common/sale}/**/*.{ts,js}", { cwd: REPOSITORY_ROOT })
      .filter((file) => !/\/texts\/(?:dashboard\/(?:[a-z-]+\/)?)?[a-z]+\.ts$/.test(file) && !file.endsWith(".test.ts"))
      .map(readRepository);
    expect(unusedTexts(english, files)).toStrictEqual([]);
    expect(unusedTexts(new Map([["signIn.planted", "Planted"]]), files)).toStrictEqual(["signIn.planted"]);
  });
});

it("never breaks the German word for e-mail at its first hyphen", () => {
  const german = Array.from(leavesOf(TEXTS.de).values(), (text) => JSON.stringify(text));
  expect(german.filter((text) => text.includes("E-Mail"))).toStrictEqual([]);
  expect(german.filter((text) => text.includes("E\u2011Mail")).length).toBeGreaterThan(10);
});

it("names every language in itself", () => {
  for (const language of LANGUAGES) {
    expect(new Intl.DisplayNames([language], { type: "language" }).of(language)).toBe(LANGUAGE_NAMES[language]);
  }
});
