import { html } from "hono/html";
import type { ServiceError } from "../../services/shared/errors/service-error.ts";
import type { Html } from "../web/pages/layout.ts";

/** Something that is wrong with a form. */
export interface FormError {
  /** ID of the field; absent for the form as a whole. */
  readonly field?: string | undefined;
  /** What the field is called; absent where the words say it, or there is none. */
  readonly label?: string | undefined;
  readonly text: string;
}

export type FormErrors = readonly FormError[];

/** Above a form that has errors: it gets the focus, and leads to the fields. */
export function errorSummaryOf(errors: FormErrors): Html {
  if (errors.length === 0) return html``;
  const items = errors.map((error) =>
    error.field === undefined
      ? html`<li>${errorText(error)}</li>`
      : html`<li><a href="#${error.field}">${errorText(error)}</a></li>`,
  );
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
<h2>${errors.length === 1 ? "There is a problem" : `There are ${errors.length} problems`}</h2><ul>${items}</ul></div>`;
}

/** What is wrong, and with what. */
export function errorText({ label, text }: FormError): string {
  return label === undefined ? text : `${label}: ${text}`;
}

/** What is wrong with a field, to stand beside it; undefined where nothing is. */
export function errorOf(errors: FormErrors, field: string): string | undefined {
  const text = errors.find((error) => error.field === field)?.text;
  return text && capitalised(text);
}

/**
 * What a service refuses, as errors of a form.
 *
 * @param fieldOf the form's field and its label for a field of the contract; undefined where the form has none
 */
export function refusalErrors(
  { violations, message }: ServiceError,
  fieldOf: (contractField: string) => { readonly field: string; readonly label: string } | undefined,
): FormErrors {
  if (violations.length === 0) return [{ text: sentence(message) }];
  return violations.map((violation) => {
    const found = fieldOf(violation.field);
    if (found === undefined) return { text: sentence(`${violation.field} ${violation.message}`) };
    return { ...found, text: violation.message };
  });
}

/** Words of a service as a sentence of a page. */
export function sentence(text: string): string {
  return `${capitalised(text)}${text.endsWith(".") ? "" : "."}`;
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
