import { html } from "hono/html";
import { pageFrame } from "./page-frame.ts";

/** A link of the page at `/`. */
export interface HomeLink {
  readonly href: string;
  readonly text: string;
  /** Sentence about what is there. */
  readonly detail: string;
}

/** Returns the page at `/`, for somebody who has only the host's name. */
export function homePage(links: readonly HomeLink[]): Buffer {
  const items = links.map(
    ({ href, text, detail }) => html`<li><p><a href="${href}">${text}</a></p><p class="quiet">${detail}</p></li>`,
  );
  const content = html`<main class="message panel">
<h1>Tidemark</h1>
<p>Live figures of token sales, and sign-in to their applications. Each sale has a page of its own here: follow the link that its organisers gave you.</p>
<ul class="home-links">${items}</ul>
</main>`;
  return pageFrame({ title: "Live token sales", content });
}
