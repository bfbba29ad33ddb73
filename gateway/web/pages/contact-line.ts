import { html } from "hono/html";
import { contactLink } from "../../../common/sale/words/contact-link.ts";
import { fillHtml } from "./fill-html.ts";
import type { Html } from "./layout.ts";

/**
 * Returns the line that leads to the people who run a sale; nothing where their founder has entered no contact.
 *
 * @param text the sentence, with the place `contact`
 */
export function contactLine(contact: string, text: string): Html | undefined {
  const link = contactLink(contact);
  if (link === undefined) return undefined;
  const anchor = html`<a href="${link.href}" rel="external nofollow noopener"><bdi>${link.text}</bdi></a>`;
  return html`<p class="quiet">${fillHtml(text, { contact: anchor })}</p>`;
}
