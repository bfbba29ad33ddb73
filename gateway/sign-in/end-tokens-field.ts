import { html } from "hono/html";
import type { Html } from "../web/pages/layout.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import type { Refusal } from "../web/sessions/sealed-refusal.ts";
import type { Texts } from "../web/texts/en.ts";

/** Name of the box. */
export const END_TOKENS = "end_tokens";

/** Returns the box by which a form also ends the access of all applications. @param isTicked as it was sent before */
export function endTokensField({ endTokens }: Texts, isTicked = false): Html {
  return html`<p class="tick"><input type="checkbox" id="end-tokens" name="${END_TOKENS}" value="yes"${isTicked && " checked"} aria-describedby="end-tokens-hint"><label for="end-tokens">${endTokens.label}</label></p>
<p class="hint" id="end-tokens-hint">${endTokens.hint}</p>`;
}

/** Whether the box was ticked in a form that was refused. */
export function isEndTokensKept(refusal: Refusal | undefined): boolean {
  return refusal?.values[END_TOKENS] === "yes";
}

/** Whether the box was ticked. */
export function wantsTokensEnded(form: PageForm): boolean {
  return form.text(END_TOKENS) === "yes";
}
