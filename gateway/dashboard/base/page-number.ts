import type { ExactNumber } from "../../../common/sale/words/exact-text.ts";
import { type NotANumber, readExactNumber } from "../../../common/sale/words/read-number.ts";
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
