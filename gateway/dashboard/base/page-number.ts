import type { Language } from "../../../common/platform/language/language.ts";
import type { ExactNumber } from "../../../common/sale/words/exact-text.ts";
import { isNumber, type NotANumber, readExactNumber } from "../../../common/sale/words/read-number.ts";
import { numberEntry } from "../../../common/sale/words/sale-units.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { pageTexts } from "./texts.ts";

/**
 * Reads a number that was entered on the page that is being answered, in its language.
 *
 * @returns the number, or the reason why it is none
 */
export function readPageNumber(text: string): ExactNumber | NotANumber {
  return readExactNumber(text, pageTexts().sale.numberWords, pageLanguage());
}

/** Returns the entry that `readPageNumber` reads as a number, for a field or a sentence of that page. */
export function pageNumberEntry(number: ExactNumber): string {
  return numberEntry(number, pageLanguage());
}

/**
 * Returns the entry for that page of one that was made on a page in another language. One that is no number stays as it is, but an
 * ambiguous one is empty: this page may read it as the number that wasn't meant.
 */
export function entryFrom(language: Language, text: string): string {
  if (language === pageLanguage()) return text;
  const number = readExactNumber(text, pageTexts().sale.numberWords, language);
  if (isNumber(number)) return pageNumberEntry(number);
  return number.isAmbiguous ? "" : text;
}
