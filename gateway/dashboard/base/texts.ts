import { pageLanguage } from "../../web/texts/page-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";

/** Returns the dashboard's texts in the language of the page that is being answered; in English outside of one. */
export function texts() {
  return pageTexts().dashboard;
}

/** Returns the texts of all pages in that language. */
export function pageTexts() {
  return TEXTS[pageLanguage()];
}
