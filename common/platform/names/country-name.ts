import { DEFAULT_LANGUAGE, eachLanguage, type Language } from "../language/language.ts";
import { isCountryCode } from "./country.ts";

const NAMES = eachLanguage((locale) => new Intl.DisplayNames([locale], { type: "region" }));

/** Returns a country's name; the code itself for one that has none. */
export function countryName(code: string, language: Language = DEFAULT_LANGUAGE): string {
  return isCountryCode(code) ? (NAMES[language].of(code) ?? code) : code;
}
