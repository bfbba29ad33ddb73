import type { Language } from "../../../common/platform/language/language.ts";
import { DE } from "./de.ts";
import { EN, type Texts } from "./en.ts";

/** The texts of the public page and the sign-in pages, by language. */
export const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, de: DE };

/** A text of ours in the reader's language, or a fixed text of pages that exist in English only. */
export type PageText = string | ((texts: Texts) => string);

/** Whether a text exists in every language. */
export function isTranslated(text: PageText): boolean {
  return typeof text === "function";
}

/** Returns a text in a language. */
export function textIn(text: PageText, language: Language): string {
  return typeof text === "function" ? text(TEXTS[language]) : text;
}
