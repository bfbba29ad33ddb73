import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";
import { texts } from "../base/texts.ts";
import { SALE_FORM_ID } from "../definition/sale-form.ts";

/** Returns the line that says why the form isn't empty, with a button of the form that empties it, which Enter mustn't press. */
export function keptLine(): Html {
  const { kept, emptyForm } = texts().newSale;
  return html`<div class="notice kept"><p>${kept}</p>
<button class="secondary small" form="${SALE_FORM_ID}" name="do" value="start-again" formnovalidate>${emptyForm}</button></div>`;
}
