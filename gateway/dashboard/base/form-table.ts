import { html } from "hono/html";
import type { Choice } from "./choice-fields.ts";
import { errorOf, type FormErrors } from "./form-errors.ts";

/** A row of a form's table: a field of which everything else is made. */
export interface FormRow {
  /** Name of the field in the form. */
  readonly field: string;
  /** ID of the element that errors lead to; the field's name by default. */
  readonly id?: string;
  /** How its value is read: as it is, without white space around it, whether a box is ticked, or as one of the choices. */
  readonly kind: "exact" | "trimmed" | "ticked" | "chosen";
  /** Choices of a chosen value; a form that names none of them means the first value. */
  readonly choices?: readonly Choice[];
  /** Value in a new form; empty, or not ticked, by default. */
  readonly first?: string;
  /** Label, for the form and its list of errors; absent where no error can be about it. */
  readonly label?: string;
  /** Text below the label. */
  readonly hint?: string;
  /** Names of the contract's fields that the value becomes. */
  readonly contract?: readonly string[];
}

export type FormTable = Readonly<Record<string, FormRow>>;

/** The values of a form's fields, by the keys of the table's rows. */
export type FormValues<Table extends FormTable> = {
  readonly [Key in keyof Table]: Table[Key]["kind"] extends "ticked" ? boolean : string;
};

/** Reads the values of a form. */
export function formValues<Table extends FormTable>(
  table: Table,
  form: { text(name: string): string },
): FormValues<Table> {
  return mapped(table, (row) => {
    const text = form.text(row.field);
    switch (row.kind) {
      case "ticked":
        return text === "yes";
      case "trimmed":
        return text.trim();
      case "chosen":
        return row.choices?.some(({ value }) => value === text) ? text : (row.first ?? "");
      case "exact":
        return text;
    }
  });
}

/** Returns the name of a field that a form has once for each item of a list. */
export function fieldAt({ field }: Pick<FormRow, "field">, index: number): string {
  return `${field}_${index}`;
}

/** Returns a form as the table of an item's fields reads it. */
export function formAt(form: { text(name: string): string }, index: number): { text(name: string): string } {
  return { text: (name) => form.text(fieldAt({ field: name }, index)) };
}

/** Returns the values of a new form. */
export function firstValues<Table extends FormTable>(table: Table): FormValues<Table> {
  return mapped(table, ({ kind, first = "" }) => (kind === "ticked" ? false : first));
}

/** Returns values as fields that a page can hold; `formValues` reads them back. */
export function heldFields<Table extends FormTable>(
  table: Table,
  values: FormValues<Table>,
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(table).map(([key, { field }]) => {
    const value: string | boolean = values[key as keyof Table];
    return [field, typeof value === "boolean" ? (value ? "yes" : "") : value] as const;
  });
}

/** Returns a row as the fields of a page take it. */
export function pageField<Row extends FormRow & { readonly label: string }>({ field, id = field, label, hint }: Row) {
  return { id, label, ...(hint !== undefined && { hint }) };
}

/** Returns a row as a field of one line takes it, with its value and its error. */
export function pageText(row: FormRow & { readonly label: string }, value: string, errors: FormErrors) {
  const { id, label, hint } = pageField(row);
  const shownHint = hint !== undefined && { hint: html`${hint}` };
  return { id, name: row.field, label, ...shownHint, value, error: errorOf(errors, id) };
}

/** Returns a row with choices as radio buttons take it. */
export function pageChoice<Row extends FormRow & { readonly label: string; readonly choices: readonly Choice[] }>({
  field,
  label,
  choices,
}: Row) {
  return { name: field, legend: label, choices };
}

/** Returns the ID and label of a row, as errors name it. */
export function errorField({ field, id = field, label = "" }: FormRow): {
  readonly field: string;
  readonly label: string;
} {
  return { field: id, label };
}

/** Returns the ID and label of the row of a field of the contract; undefined where the form has none. */
export function contractErrorField(table: FormTable, name: string) {
  const row = rowOfContract(table, name);
  return row && errorField(row);
}

/** Returns the row of a field of the contract; undefined where the form has none. */
export function rowOfContract(table: FormTable, name: string): FormRow | undefined {
  return Object.values(table).find(({ contract = [] }) => contract.includes(name));
}

function mapped<Table extends FormTable>(
  table: Table,
  valueOfRow: (row: FormRow) => string | boolean,
): FormValues<Table> {
  const values = Object.entries(table).map(([key, row]) => [key, valueOfRow(row)] as const);
  return Object.fromEntries(values) as FormValues<Table>;
}
