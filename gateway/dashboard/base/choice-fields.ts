import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";

export interface Choice {
  readonly id: string;
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** Returns a choice of one option, as radio buttons in a group. */
export function choiceField(
  {
    name,
    legend,
    choices,
    error,
  }: { name: string; legend: string; choices: readonly Choice[]; error?: Html | string | undefined },
  chosen: string,
  isFixed = false,
): Html {
  return html`<fieldset class="field"><legend>${legend}</legend>
${error && html`<p class="field-error">${error}</p>`}
<div class="choices">${choices.map(
    ({
      id,
      value,
      label,
      hint,
    }) => html`<div class="choice"><input type="radio" id="${id}" name="${name}" value="${value}"${
      value === chosen ? " checked" : ""
    }${isFixed && value !== chosen ? " disabled" : ""}${hint && html` aria-describedby="${id}-hint"`}>
<div><label for="${id}">${label}</label>${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div></div>`,
  )}</div></fieldset>`;
}

/** Returns a box to tick; a fixed one is shown as text. */
export function tickField(
  { id, label, hint }: { id: string; label: string; hint?: string },
  isTicked: boolean,
  isFixed = false,
): Html {
  if (isFixed && !isTicked) return html``;
  if (isFixed) return html`<input type="hidden" name="${id}" value="yes"><p class="tick hint">${label}.</p>`;
  return html`<p class="tick"><input type="checkbox" id="${id}" name="${id}" value="yes"${isTicked ? " checked" : ""}${
    hint && html` aria-describedby="${id}-hint"`
  }><span><label for="${id}">${label}</label>${hint && html`<span class="scope-detail" id="${id}-hint"><br>${hint}</span>`}</span></p>`;
}

/** Returns a choice of one option, as a list. */
export function selectField(
  { id, label, hint, error }: { id: string; label: string; hint?: string; error?: Html | string | undefined },
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): Html {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return html`<div class="field"><label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${error && html`<p class="field-error" id="${id}-error">${error}</p>`}
<select id="${id}" name="${id}"${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`}>
${options.map(([value, text]) => html`<option value="${value}"${value === chosen ? " selected" : ""}>${text}</option>`)}
</select></div>`;
}
