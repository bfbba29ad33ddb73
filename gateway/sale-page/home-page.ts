import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import { type PageText, TEXTS, textIn } from "../web/texts/texts.ts";
import { pageFrame } from "./page-frame.ts";

/** A link of the page at `/`. */
export interface HomeLink {
  readonly href: string;
  readonly text: PageText;
  /** Sentence about what is there. */
  readonly detail: PageText;
}

/** Returns the page at `/`, for somebody who has only the host's name. */
export function homePage(links: readonly HomeLink[], language: Language): Buffer {
  const { home } = TEXTS[language];
  const items = links.map(
    ({ href, text, detail }) =>
      html`<li><p><a href="${href}">${textIn(text, language)}</a></p><p class="quiet">${textIn(detail, language)}</p></li>`,
  );
  const content = html`<main class="message panel">
<h1>Tidemark</h1>
<p>${home.text}</p>
<ul class="home-links">${items}</ul>
</main>`;
  return pageFrame({ title: home.title, content, language, address: "/" });
}
