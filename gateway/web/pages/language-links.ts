import { html } from "hono/html";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "../../../common/platform/language/language.ts";
import { switchAddress } from "../texts/language-switch.ts";
import { TEXTS } from "../texts/texts.ts";

/**
 * Returns the switch of languages: links to the same page in the others, each named in itself.
 *
 * @param address path and query of the page
 * @param shown language of the page
 */
export function languageLinks(address: string, shown: Language) {
  const item = (language: Language) =>
    language === shown
      ? html`<li aria-current="true">${LANGUAGE_NAMES[language]}</li>`
      : html`<li><a href="${switchAddress(address, language)}" rel="nofollow" lang="${language}">${LANGUAGE_NAMES[language]}</a></li>`;
  return html`<nav aria-label="${TEXTS[shown].frame.language}"><ul class="languages">${LANGUAGES.map(item)}</ul></nav>`;
}
