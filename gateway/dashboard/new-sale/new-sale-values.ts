import { ASKED_FIELDS } from "../../../common/sale/definition/sale-fields.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import { type FormTable, type FormValues, firstValues, formValues, heldFields } from "../base/form-table.ts";
import { texts } from "../base/texts.ts";
import {
  heldSaleFields,
  NEW_SALE_VALUES,
  type SaleFormValues,
  saleFormValues,
} from "../definition/sale-form-values.ts";
import { type PresentationFormValues, presentationFormValues } from "../presentation/presentation-form-values.ts";

/** The fields of a new sale about its first application and the people who set it up with its founder. */
export const START_TABLE = {
  application: {
    field: "application_name",
    kind: "exact",
    get label() {
      return texts().newSale.applicationName;
    },
    contract: ["name"],
  },
  redirectUri: {
    field: "redirect_uri",
    kind: "trimmed",
    get label() {
      return texts().newSale.redirectUri;
    },
    contract: ["redirect_uris"],
  },
  invite: {
    field: "invite",
    kind: "trimmed",
    get label() {
      return texts().newSale.invite;
    },
    contract: ["email"],
  },
} as const satisfies FormTable;

/** The values of the last step of a new sale. */
export type StartFormValues = FormValues<typeof START_TABLE>;

/** The fields about what people read that a new sale asks for. All others are on a page of the sale. */
const ASKED_AT_FIRST: ReadonlySet<string> = new Set(["symbol", "description", "website", "contact", "opens", "closes"]);
export const WORD_FIELDS = ASKED_FIELDS.filter(({ form }) => ASKED_AT_FIRST.has(form.name));

/** Bound of the form: a description of 2,000 characters may take nine times as many bytes, and 32 payment tokens take some, too. */
export const MAX_FORM_BYTES = 64 * 1024;

/** The values of all steps of a new sale. */
export interface NewSaleValues {
  readonly sale: SaleFormValues;
  readonly words: PresentationFormValues;
  readonly start: StartFormValues;
}

export const FIRST_NEW_SALE: NewSaleValues = { sale: NEW_SALE_VALUES, words: {}, start: firstValues(START_TABLE) };

export function newSaleValues(form: PageForm): NewSaleValues {
  const words = presentationFormValues(form);
  return { sale: saleFormValues(form), words, start: formValues(START_TABLE, form) };
}

/** Returns the values as fields that `newSaleValues` reads back. */
export function heldNewSale({ sale, words, start }: NewSaleValues): readonly (readonly [string, string])[] {
  return [...heldSaleFields(sale), ...Object.entries(words), ...heldFields(START_TABLE, start)];
}

/** Whether an application is to be created with the sale. @param files names of the files that were chosen */
export function hasApplication({ start }: NewSaleValues, files: readonly string[]): boolean {
  return start.redirectUri !== "" || start.application.trim() !== "" || files.length > 0;
}
