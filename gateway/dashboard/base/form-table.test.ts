import { expect, it } from "vitest";
import {
  contractErrorField,
  errorField,
  type FormTable,
  firstValues,
  formValues,
  heldFields,
  pageChoice,
  pageField,
  pageText,
  rowOfContract,
} from "./form-table.ts";

const TABLE = {
  name: { field: "full_name", kind: "exact", label: "Name", contract: ["name"] },
  price: { field: "price", kind: "trimmed", first: "1" },
  isOpen: { field: "open", kind: "ticked" },
  colour: {
    field: "colour",
    id: "colour-red",
    kind: "chosen",
    label: "Colour",
    first: "red",
    choices: [
      { id: "colour-red", value: "red", label: "Red" },
      { id: "colour-blue", value: "blue", label: "Blue" },
    ],
  },
} as const satisfies FormTable;

const form = (fields: Readonly<Record<string, string>>) => ({ text: (name: string) => fields[name] ?? "" });

it("a form is read by its table, and what a page holds of it means the same", () => {
  const values = formValues(TABLE, form({ full_name: " A ", price: " 2 ", open: "yes", other: "x", colour: "blue" }));
  expect(values).toEqual({ name: " A ", price: "2", isOpen: true, colour: "blue" });
  const held = heldFields(TABLE, values);
  expect(held).toEqual([
    ["full_name", " A "],
    ["price", "2"],
    ["open", "yes"],
    ["colour", "blue"],
  ]);
  expect(formValues(TABLE, form(Object.fromEntries(held)))).toEqual(values);
});

it("a new form has first values, and none where the table has none", () => {
  expect(firstValues(TABLE)).toEqual({ name: "", price: "1", isOpen: false, colour: "red" });
});

it("a value that is none of the choices is the first value", () => {
  expect(formValues(TABLE, form({ colour: "green" })).colour).toBe("red");
});

it("pages and errors take label, hint and ID from the row", () => {
  expect(pageField(TABLE.name)).toEqual({ id: "full_name", label: "Name" });
  expect(pageField({ ...TABLE.name, hint: "Yours." })).toEqual({ id: "full_name", label: "Name", hint: "Yours." });
  expect(pageChoice(TABLE.colour)).toMatchObject({ name: "colour", legend: "Colour", choices: TABLE.colour.choices });
  expect(errorField(TABLE.colour)).toEqual({ field: "colour-red", label: "Colour" });
  const errors = [{ field: "full_name", label: "Name", text: "enter a name" }];
  const text = { id: "full_name", name: "full_name", label: "Name", value: "A", error: "Enter a name" };
  expect(pageText(TABLE.name, "A", errors)).toEqual(text);
  expect(pageText({ ...TABLE.name, hint: "A < B" }, "A", errors).hint?.toString()).toBe("A &lt; B");
});

it("a field of the contract leads to its row", () => {
  expect(rowOfContract(TABLE, "name")).toBe(TABLE.name);
  expect(rowOfContract(TABLE, "price")).toBeUndefined();
  expect(contractErrorField(TABLE, "name")).toEqual({ field: "full_name", label: "Name" });
  expect(contractErrorField(TABLE, "price")).toBeUndefined();
});
