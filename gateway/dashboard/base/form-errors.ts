import { html } from "hono/html";
import type { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { fill, fillCounted } from "../../../common/platform/language/message.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { type SaidText, saidByService } from "./said-text.ts";
import { texts } from "./texts.ts";

/** An error of a form. */
export interface FormError {
  /** ID of the field; absent for the form as a whole. */
  readonly field?: string | undefined;
  /** Label of the field; absent where the text names it, or for the form as a whole. */
  readonly label?: string | undefined;
  readonly text: string;
  /** Whether the text is a service’s, which are in English in every language of the page. */
  readonly isEnglish?: boolean;
  /** A sentence after the text, in the language of the page. */
  readonly addition?: string;
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
<h2>${fillCounted(texts().base.problems, errors.length, pageLanguage(), {})}</h2><ul>${items}</ul></div>`;
}

/** Returns the text of an error, with the label of its field. */
export function errorText(error: FormError): Html | string {
  const { label } = error;
  const shown = inItsLanguage(error);
  if (label === undefined) return shown;
  const { labelled } = texts().base;
  return typeof shown === "string"
    ? fill(labelled, { label, text: shown })
    : fillHtml(labelled, { label, text: shown });
}

/** Returns the same for the page's script: text without marks, and whose it is. */
export function saidError({ label, text, isEnglish = false }: FormError): SaidText {
  const whole = label === undefined ? text : fill(texts().base.labelled, { label, text });
  return isEnglish ? saidByService(whole) : whole;
}

/** Returns the text of a field's error, shown beside the field; undefined where there is none. */
export function errorOf(errors: FormErrors, field: string): Html | string | undefined {
  const error = errors.find((one) => one.field === field);
  return error && inItsLanguage({ ...error, text: capitalised(error.text) });
}

/**
 * Returns the texts of all errors of a field with several values, one a line. Each names its value, unless its label is that of
 * the field. Undefined where there is none.
 */
export function errorLinesOf(
  errors: FormErrors,
  { id, label }: { id: string; label: string },
): Html | string | undefined {
  const lines = errors
    .filter(({ field }) => field === id)
    .map((error) =>
      error.label === label ? inItsLanguage({ ...error, text: capitalised(error.text) }) : errorText(error),
    );
  if (lines.length === 0) return undefined;
  if (lines.every((line) => typeof line === "string")) return lines.join("\n");
  return html`${lines.map((line, index) => (index === 0 ? line : html`\n${line}`))}`;
}

/** Marks a service's English text on a page in another language as such, so that it is read aloud rightly. */
export function englishText(text: string): Html | string {
  return pageLanguage() === "en" ? text : html`<span lang="en" dir="ltr">${text}</span>`;
}

function inItsLanguage({ text, isEnglish = false, addition }: FormError): Html | string {
  const shown = isEnglish ? englishText(text) : text;
  if (addition === undefined) return shown;
  return typeof shown === "string" ? `${shown}. ${addition}` : html`${shown}. ${addition}`;
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
  if (violations.length === 0) return [{ text: sentence(message), isEnglish: true }];
  return violations.map((violation) => {
    const found = fieldOf(violation.field);
    if (found === undefined) {
      return { text: sentence(`${violation.field} ${violation.message}`.trimStart()), isEnglish: true };
    }
    return { ...found, text: violation.message, isEnglish: true };
  });
}

/** Returns a service's text as a sentence. */
export function sentence(text: string): string {
  return `${capitalised(text)}${text.endsWith(".") ? "" : "."}`;
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
