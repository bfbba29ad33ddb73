/** Languages of pages and mails by their BCP 47 tag. The first is for readers who have asked for none of them. */
export const LANGUAGES = ["en", "de"] as const;

export type Language = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: Language = LANGUAGES[0];

/** Name of each language in itself, for the switch. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

/** Locale of each language in which `Intl` writes its times: British for English. */
export const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", de: "de" };

/** Direction in which each language is written, as the attribute `dir` has it: from left to right where a page doesn't say. */
export const DIRECTIONS: Readonly<Record<Language, "ltr" | "rtl">> = { en: "ltr", de: "ltr" };

/** Whether a page in a language is written from right to left; one in no language is in the default one. */
export function isRightToLeft(language: Language = DEFAULT_LANGUAGE): boolean {
  return DIRECTIONS[language] === "rtl";
}

/** Makes something for each language, such as a formatter, which takes long to make: when it is used first. */
export function eachLanguage<Made>(
  make: (locale: string, language: Language) => Made,
): Readonly<Record<Language, Made>> {
  const all = {} as Record<Language, Made>;
  for (const language of LANGUAGES) {
    const keep = (value: Made) => Object.defineProperty(all, language, { value, enumerable: true });
    const get = () => keep(make(LOCALES[language], language))[language];
    Object.defineProperty(all, language, { get, enumerable: true, configurable: true });
  }
  return all;
}

/** Returns the language with a tag; undefined for a tag that isn't exactly one of ours. */
export function knownLanguage(tag: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === tag);
}
