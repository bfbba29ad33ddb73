import { html } from "hono/html";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { textField } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { errorOf, type FormErrors } from "./form-errors.ts";
import { texts } from "./texts.ts";

const FIELD = "typed_name";

/** Returns the field in which somebody types a sale's name before a step that can't be undone. */
export function typedNameField({ definition }: Sale, errors: FormErrors, entered = ""): Html {
  return textField({
    id: FIELD,
    name: FIELD,
    label: texts().base.typedName,
    hint: fillHtml(texts().base.typedNameHint, { name: html`<bdi>${definition?.name}</bdi>` }),
    value: entered,
    error: errorOf(errors, FIELD),
    attributes: html`maxlength="200" autocomplete="off" autocapitalize="none" spellcheck="false"`,
  });
}

/** Returns the errors of a form with that field: none where the name was typed. */
export function typedNameErrors({ definition }: Sale, form: { text(name: string): string }): FormErrors {
  if (normalised(form.text(FIELD)) === normalised(definition?.name ?? "")) return [];
  return [{ field: FIELD, label: texts().base.typedName, text: texts().base.typedNameError }];
}

function normalised(name: string): string {
  return name.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}

/** Returns the field for what a service says about a confirmed name. */
export function fieldOfTypedName(
  contractField: string,
): { readonly field: string; readonly label: string } | undefined {
  return contractField.endsWith("confirm_name") ? { field: FIELD, label: texts().base.typedName } : undefined;
}

/** Whether a form has the name typed. */
export function isNameTyped(sale: Sale, form: { text(name: string): string }): boolean {
  return typedNameErrors(sale, form).length === 0;
}
