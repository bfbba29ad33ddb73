import { html } from "hono/html";
import type { Html } from "./layout.ts";
import { FORM_TOKEN_FIELD, formToken } from "./page-form.ts";

/** The hidden fields of a form: its token, and what it is about; empty values are left out. */
export function hiddenFields(purpose: string, secret: string, fields: Readonly<Record<string, string>> = {}): Html {
  const values = { [FORM_TOKEN_FIELD]: formToken(purpose, secret), ...fields };
  return html`${Object.entries(values).map(([name, value]) =>
    value === "" ? "" : html`<input type="hidden" name="${name}" value="${value}">`,
  )}`;
}

export interface TextField {
  /** Of the field; the error has it with `-error` behind. */
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly hint?: Html;
  readonly value?: string;
  readonly error?: string | undefined;
  /** May be left empty. */
  readonly isOptional?: boolean;
  /** Further attributes, such as `autocomplete`. */
  readonly attributes: Html;
}

/** A labelled field; its error and its hint are tied to it. */
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

/** Above a form that has an error: it gets the focus, and leads to the field. */
export function errorSummary(message: string | undefined, fieldId?: string): Html | undefined {
  if (message === undefined) return undefined;
  const text = fieldId === undefined ? message : html`<a href="#${fieldId}">${message}</a>`;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>There is a problem</h2><p>${text}</p></div>`;
}

/** Document title of a page with or without an error. */
export function titleWith(title: string, error: string | undefined): string {
  return error === undefined ? title : `Error: ${title}`;
}
