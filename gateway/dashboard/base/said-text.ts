import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";

/** A sentence of a check: in the page's language, or a service's in English. */
export type SaidText = string | { readonly english: string };

/** Returns a service's sentence, marked as English on a page in another language. */
export function saidByService(text: string): SaidText {
  return pageLanguage() === "en" ? text : { english: text };
}

/** Returns sentences with spaces between them. The page's script writes them in the same way. */
export function saidTexts(texts: readonly SaidText[]): Html {
  return html`${texts.map((text, index) => html`${index > 0 && " "}${saidHtml(text)}`)}`;
}

function saidHtml(text: SaidText): Html {
  return typeof text === "string" ? html`${text}` : html`<span lang="en" dir="ltr">${text.english}</span>`;
}
