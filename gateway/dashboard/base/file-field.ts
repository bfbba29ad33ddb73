import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";
import { errorOf, type FormErrors } from "./form-errors.ts";

/** Returns a field for an image. */
export function fileField(id: string, label: string, hint: string, errors: FormErrors): Html {
  const error = errorOf(errors, id);
  return html`<div class="field"><label for="${id}">${label}</label><p class="hint" id="${id}-hint">${hint}</p>
${error && html`<p class="field-error" id="${id}-error">${error}</p>`}
<input type="file" id="${id}" name="${id}" accept="image/png,image/jpeg,image/webp" aria-describedby="${id}-hint${error === undefined ? "" : ` ${id}-error`}"${error && html` aria-invalid="true"`}></div>`;
}
