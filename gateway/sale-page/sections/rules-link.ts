import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import type { Html } from "../../web/pages/layout.ts";
import { TEXTS } from "../../web/texts/texts.ts";

/** Returns the path of the page with a sale's rules. */
export function rulesPath(saleUuid: string): string {
  return `/sales/${saleUuid}/rules`;
}

/**
 * Returns the way to who may take part in a sale. The script puts the list of that page in its place: there may be fifty groups, which
 * no visitor needs at first sight.
 */
export function rulesLink(saleUuid: string, language: Language): Html {
  return html`<p><a id="rules" href="${rulesPath(saleUuid)}">${TEXTS[language].rules.title}</a></p>`;
}
