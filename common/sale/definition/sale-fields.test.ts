import { describe, expect, it } from "vitest";
import { SalePresentationSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { ASKED_FIELDS, pathOf, SALE_FIELDS } from "./sale-fields.ts";

describe("the table of a sale's fields", () => {
  it("has a row for every field of the message, once", () => {
    const fields = SalePresentationSchema.fields.map(({ localName }) => localName);
    expect(SALE_FIELDS.map(({ key }): string => key).toSorted()).toEqual(fields.toSorted());
  });

  it("has names of its own for each row, in every place where they are used", () => {
    const names = [
      SALE_FIELDS.map(({ label }) => label),
      SALE_FIELDS.map(({ json }) => `${json.in ?? ""}.${json.name}`),
      ASKED_FIELDS.map(({ form }) => form.name),
      ASKED_FIELDS.map(({ option }) => option.name),
    ];
    for (const list of names) expect(new Set(list).size).toBe(list.length);
  });

  it("knows the path of a field in the contract", () => {
    expect(pathOf({ key: "opensAtSeconds" })).toBe("presentation.opens_at_seconds");
  });
});
