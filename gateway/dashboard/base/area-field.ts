import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";

/** Returns a field for several lines of text. */
export function areaField(
  { id, label, hint, error }: { id: string; label: string; hint?: string; error?: Html | string | undefined },
  value: string,
  attributes = html``,
): Html {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return html`<div class="field"><label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${error && html`<p class="field-error" id="${id}-error">${error}</p>`}
<textarea id="${id}" name="${id}"${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`} ${attributes}>
${value}</textarea></div>`;
}
