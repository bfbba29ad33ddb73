import { html } from "hono/html";
import type { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Html } from "../../web/pages/layout.ts";

/** An error of a form. */
export interface FormError {
  /** ID of the field; absent for the form as a whole. */
  readonly field?: string | undefined;
  /** Label of the field; absent where the text names it, or for the form as a whole. */
  readonly label?: string | undefined;
  readonly text: string;
}

export type FormErrors = readonly FormError[];

/** Returns the summary above a form with errors; it gets the focus, and links to the fields. */
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

/** Returns the text of an error, with the label of its field. */
export function errorText({ label, text }: FormError): string {
  return label === undefined ? text : `${label}: ${text}`;
}

/** Returns the text of a field's error, shown beside the field; undefined where there is none. */
export function errorOf(errors: FormErrors, field: string): string | undefined {
  const text = errors.find((error) => error.field === field)?.text;
  return text && capitalised(text);
}

/**
 * Returns the texts of all errors of a field with several values, one a line. Each names its value, unless its label is that of
 * the field. Undefined where there is none.
 */
export function errorLinesOf(errors: FormErrors, { id, label }: { id: string; label: string }): string | undefined {
  const own = errors.filter(({ field }) => field === id);
  if (own.length === 0) return undefined;
  return own.map((error) => (error.label === label ? capitalised(error.text) : errorText(error))).join("\n");
}

/**
 * Returns the errors of a form for a service's refusal.
 *
 * @param fieldOf returns the form's field and label for a field of the contract; undefined where the form has none
 */
export function refusalErrors(
  { violations, message }: ServiceError,
  fieldOf: (contractField: string) => { readonly field: string; readonly label: string } | undefined,
): FormErrors {
  if (violations.length === 0) return [{ text: sentence(message) }];
  return violations.map((violation) => {
    const found = fieldOf(violation.field);
    if (found === undefined) return { text: sentence(`${violation.field} ${violation.message}`.trimStart()) };
    return { ...found, text: violation.message };
  });
}

/** Returns a service's text as a sentence. */
export function sentence(text: string): string {
  return `${capitalised(text)}${text.endsWith(".") ? "" : "."}`;
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
