import { create } from "@bufbuild/protobuf";
import { ASKED_FIELDS, type AskedField, pathOf } from "../../../common/sale/definition/sale-fields.ts";
import {
  type SaleDefinition,
  SaleDefinitionSchema,
  SalePresentationSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import type { FormError, FormErrors } from "../base/form-errors.ts";
import { texts } from "../base/texts.ts";
import { readUtcEntry, utcEntry } from "../base/utc-entry.ts";
import { readTokenUnits, tokenUnitsEntry } from "../definition/token-units.ts";

/** The values of a switch in the form: always sent, so that an older page, which lacks the switch, changes nothing. */
export const SWITCH_ON = "yes";
export const SWITCH_OFF = "no";

/** The values in the form about what people read of a sale, by the names of its fields. */
export type PresentationFormValues = Readonly<Record<string, string>>;

/** The part of a definition that the form changes, and the paths that it names; or the errors. */
export type ParsedPresentation =
  | { readonly definition: SaleDefinition; readonly paths: readonly string[]; readonly errors: readonly [] }
  | { readonly definition?: undefined; readonly errors: FormErrors };

/** Returns the values of the fields that a form has: one of an older page lacks later ones. */
export function presentationFormValues(form: PageForm): PresentationFormValues {
  const present = ASKED_FIELDS.filter((field) => form.has(field.form.name));
  return Object.fromEntries(present.map((field) => [field.form.name, form.text(field.form.name).trim()]));
}

/** Returns the form values that mean the presentation of a definition. */
export function storedFormValues({
  presentation,
  offeredTokenDecimals,
}: Partial<Pick<SaleDefinition, "presentation" | "offeredTokenDecimals">>): PresentationFormValues {
  const values = ASKED_FIELDS.map((field) => {
    const value = presentation?.[field.key] ?? "";
    if (typeof value === "boolean") return [field.form.name, value ? SWITCH_ON : SWITCH_OFF] as const;
    const text = typeof value === "bigint" ? utcEntry(value) : value;
    return [field.form.name, field.kind === "amount" ? tokenUnitsEntry(text, offeredTokenDecimals) : text] as const;
  });
  return Object.fromEntries(values);
}

/**
 * Parses form values. Only times and numbers that are none are refused here; the service checks the rules.
 *
 * @param offeredDecimals decimals of the offered token; 0 where they aren't known
 */
export function parsePresentation(values: PresentationFormValues, offeredDecimals: number): ParsedPresentation {
  const shown = ASKED_FIELDS.filter((field) => field.form.name in values);
  const parsed = shown.map((field) => ({
    field,
    ...parseValue(field, values[field.form.name] ?? "", offeredDecimals),
  }));
  const errors = parsed.flatMap(({ field, reason }): FormError[] =>
    reason === undefined ? [] : [{ field: field.form.name, label: texts().presentationLabel[field.key], text: reason }],
  );
  if (errors.length > 0) return { errors };
  const given = parsed.filter(({ value }) => value !== undefined);
  const presentation = create(
    SalePresentationSchema,
    Object.fromEntries(given.map(({ field, value }) => [field.key, value])),
  );
  return { definition: create(SaleDefinitionSchema, { presentation }), paths: shown.map(pathOf), errors: [] };
}

function parseValue(
  { kind }: AskedField,
  text: string,
  offeredDecimals: number,
): { readonly value?: string | bigint | boolean; readonly reason?: string } {
  if (text === "") return {};
  if (kind === "switch") return { value: text === SWITCH_ON };
  if (kind === "time") return readUtcEntry(text);
  if (kind !== "amount") return { value: text };
  const read = readTokenUnits(text, offeredDecimals);
  return "units" in read ? { value: read.units.toString() } : read;
}

/** Returns the form's field for a field of the contract, such as `definition.presentation.website`. */
export function fieldOfPresentation(
  contractField: string,
): { readonly field: string; readonly label: string } | undefined {
  const found = ASKED_FIELDS.find((field) => `definition.${pathOf(field)}` === contractField);
  return found && { field: found.form.name, label: texts().presentationLabel[found.key] };
}
