import { expect, it } from "vitest";
import { errorLinesOf, type FormErrors } from "./form-errors.ts";

const FIELD = { id: "uris", label: "Addresses" };

it.each<[string, FormErrors, string | undefined]>([
  ["nothing without errors", [], undefined],
  ["nothing for the errors of other fields", [{ field: "name", text: "is empty" }], undefined],
  [
    "all errors, with the values that they are about",
    [
      { field: "uris", label: "Address 1", text: "must begin with https:" },
      { field: "name", label: "Name", text: "is empty" },
      { field: "uris", label: "Address 3", text: "is there twice" },
    ],
    "Address 1: must begin with https:\nAddress 3: is there twice",
  ],
  ["an error of the whole field without its label", [{ field: "uris", label: "Addresses", text: "are 21" }], "Are 21"],
])("a field with several values shows %s", (_, errors, shown) => {
  expect(errorLinesOf(errors, FIELD)).toBe(shown);
});
