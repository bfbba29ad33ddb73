import { html } from "hono/html";
import type { Html } from "../web/pages/layout.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import type { Texts } from "../web/texts/en.ts";

const NAME = "end_tokens";

/** Returns the box by which a form also ends the access of all applications. @param isTicked as it was sent before */
export function endTokensField({ endTokens }: Texts, isTicked = false): Html {
  return html`<p class="tick"><input type="checkbox" id="end-tokens" name="${NAME}" value="yes"${isTicked && " checked"} aria-describedby="end-tokens-hint"><label for="end-tokens">${endTokens.label}</label></p>
<p class="hint" id="end-tokens-hint">${endTokens.hint}</p>`;
}

/** Whether the box was ticked. */
export function wantsTokensEnded(form: PageForm): boolean {
  return form.text(NAME) === "yes";
}
