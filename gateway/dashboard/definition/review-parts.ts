import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";
import { saidTexts } from "../base/said-text.ts";
import type { SourceCheck } from "./check-source.ts";
import { heldSaleFields, type SaleFormValues } from "./sale-form-values.ts";

/** Returns the hidden fields that hold the form's values. */
export function heldFormValues(formValues: SaleFormValues): Html {
  return html`${heldSaleFields(formValues).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** Returns the line with the result of a contract's check. */
export function checkLine({ state, text }: SourceCheck): Html {
  return html`<p class="state-${state}">${saidTexts(text)}</p>`;
}
