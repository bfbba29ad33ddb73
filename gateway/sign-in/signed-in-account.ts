import { html } from "hono/html";
import type { Html } from "../web/pages/layout.ts";
import type { Texts } from "../web/texts/en.ts";

/** Returns the lines that say as whom the user is signed in, for an element of the class `account`. */
export function signedInAccount(email: string, { consent }: Texts): Html {
  return html`<p class="quiet">${consent.signedInAs}</p><p class="account-email"><strong><bdi>${email}</bdi></strong></p>`;
}
