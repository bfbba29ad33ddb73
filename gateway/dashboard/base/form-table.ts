/** A row of a form's table: a field of which everything else is made. */
export interface FormRow {
  /** Name of the field in the form. */
  readonly field: string;
  /** ID of the element that errors lead to; the field's name by default. */
  readonly id?: string;
  /** How its value is read: as it is, without white space around it, or whether a box is ticked. */
  readonly kind: "exact" | "trimmed" | "ticked";
  /** Value in a new form; empty, or not ticked, by default. */
  readonly first?: string;
  /** Label, for the form and its list of errors; absent where no error can be about it. */
  readonly label?: string;
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
  return mapped(table, ({ field, kind }) => {
    const text = form.text(field);
    return kind === "ticked" ? text === "yes" : kind === "trimmed" ? text.trim() : text;
  });
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
