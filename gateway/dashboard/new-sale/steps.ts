import { NEW_SALE_PATH, salePaths } from "../base/dashboard-paths.ts";
import type { FormErrors } from "../base/form-errors.ts";
import { texts } from "../base/texts.ts";
import type { SaleFormValues } from "../definition/sale-form-values.ts";
import { WORD_FIELDS } from "./new-sale-values.ts";

/** A step of a new sale: the chain and contract; tokens and price; words; people and application. */
export type Step = 1 | 2 | 3 | 4;

export const STEPS: readonly Step[] = [1, 2, 3, 4];
export const LAST_STEP: Step = 4;
/** The step that asks for the name of the sale. */
const NAME_STEP: Step = 3;

const FIELDS_OF_FIRST = /^(?:tenancy|source|chain|address|contract_version|extra_data|keeps_amounts)/;
const FIELDS_OF_LAST = /^(?:application_name|redirect_uri|invite|square|wide)$/;

/** Returns the step that asks for a field. @param field ID of the field; undefined for an error of the whole form */
export function stepOfField(field: string | undefined): Step {
  if (field === undefined || FIELDS_OF_LAST.test(field)) return 4;
  if (FIELDS_OF_FIRST.test(field)) return 1;
  return field === "name" || WORD_FIELDS.some(({ form }) => form.name === field) ? 3 : 2;
}

/** Returns the errors of the steps up to one: later ones haven't been filled in. */
export function errorsUpTo(errors: FormErrors, step: Step): FormErrors {
  return errors.filter(({ field }) => stepOfField(field) <= step);
}

/** Returns the step with the first error; undefined for none. */
export function stepOfErrors(errors: FormErrors): Step | undefined {
  return STEPS.find((step) => errors.some(({ field }) => stepOfField(field) === step));
}

/** Returns the step that a text names; the first one for another text. */
export function readStep(text: string): Step {
  return STEPS.find((step) => String(step) === text) ?? 1;
}

/** Returns the address of a new sale's form. @param from UUID of the sale that it copies; empty for none */
export function newSalePath(from: string): string {
  return from === "" ? NEW_SALE_PATH : salePaths(from).copy;
}

/** Returns the address of a step of a sale that was begun. @param from as for `newSalePath` */
export function stepPath(step: Step, from: string): string {
  return `${NEW_SALE_PATH}?${new URLSearchParams({ ...(from !== "" && { from }), step: String(step) })}`;
}

/** Returns the values by which a step shows what they come to: up to the step that asks for the name it doesn't wait for it. */
export function namedFor(step: Step, values: SaleFormValues): SaleFormValues {
  return step <= NAME_STEP && values.name.trim() === "" ? { ...values, name: "Sale" } : values;
}

export function stepTitle(step: Step): string {
  const { newSale } = texts();
  return [newSale.stepContract, newSale.stepPrice, newSale.stepWords, newSale.stepStart][step - 1] ?? "";
}
