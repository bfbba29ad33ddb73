import { expect, it } from "vitest";
import { type FormTable, firstValues, formValues, heldFields, rowOfContract } from "./form-table.ts";

const TABLE = {
  name: { field: "full_name", kind: "exact", label: "Name", contract: ["name"] },
  price: { field: "price", kind: "trimmed", first: "1" },
  isOpen: { field: "open", kind: "ticked" },
} as const satisfies FormTable;

const form = (fields: Readonly<Record<string, string>>) => ({ text: (name: string) => fields[name] ?? "" });

it("a form is read by its table, and what a page holds of it means the same", () => {
  const values = formValues(TABLE, form({ full_name: " A ", price: " 2 ", open: "yes", other: "x" }));
  expect(values).toEqual({ name: " A ", price: "2", isOpen: true });
  const held = heldFields(TABLE, values);
  expect(held).toEqual([
    ["full_name", " A "],
    ["price", "2"],
    ["open", "yes"],
  ]);
  expect(formValues(TABLE, form(Object.fromEntries(held)))).toEqual(values);
});

it("a new form has first values, and none where the table has none", () => {
  expect(firstValues(TABLE)).toEqual({ name: "", price: "1", isOpen: false });
});

it("a field of the contract leads to its row", () => {
  expect(rowOfContract(TABLE, "name")).toBe(TABLE.name);
  expect(rowOfContract(TABLE, "price")).toBeUndefined();
});
