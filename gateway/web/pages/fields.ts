import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { EN, type Texts } from "../texts/en.ts";
import type { Html } from "./layout.ts";
import { FORM_TOKEN_FIELD, formToken } from "./page-form.ts";

/** Returns the hidden fields of a form: its token, and the given ones whose value isn't empty. */
export function hiddenFields(purpose: string, secret: string, fields: Readonly<Record<string, string>> = {}): Html {
  const values = { [FORM_TOKEN_FIELD]: formToken(purpose, secret), ...fields };
  return html`${Object.entries(values).map(([name, value]) =>
    value === "" ? "" : html`<input type="hidden" name="${name}" value="${value}">`,
  )}`;
}

export interface TextField {
  /** ID of the field; its error has the same ID followed by `-error`. */
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly hint?: Html;
  readonly value?: string;
  readonly error?: Html | string | undefined;
  /** Whether it may be left empty. */
  readonly isOptional?: boolean;
  /** Further attributes, such as `autocomplete`. */
  readonly attributes: Html;
}

/** Returns a field with its label; `aria-describedby` names its hint and its error. */
export function textField({ id, name, label, hint, value = "", error, isOptional, attributes }: TextField): Html {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const ties = html`${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`}`;
  return html`<div class="field">
<label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${error && html`<p class="field-error" id="${id}-error">${error}</p>`}
<input id="${id}" name="${name}" value="${value}"${ties}${isOptional ? "" : html` required`} ${attributes}>
</div>`;
}

/** Returns the summary above a form with an error; it gets the focus, and links to the field. */
export function errorSummary(message: string | undefined, fieldId?: string, { form }: Texts = EN): Html | undefined {
  if (message === undefined) return undefined;
  const text = fieldId === undefined ? message : html`<a href="#${fieldId}">${message}</a>`;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>${form.problem}</h2><p>${text}</p></div>`;
}

/** Returns the document title of a page with or without an error. */
export function titleWith(title: string, error: string | undefined, { form }: Texts = EN): string {
  return error === undefined ? title : fill(form.errorTitle, { title });
}
