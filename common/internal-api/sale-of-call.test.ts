import { describe, expect, it } from "vitest";
import { saleAttributes, saleNumber } from "./sale-of-call.ts";

const SALE_UUID = "AAAAAAAA-1111-4111-8111-11111111abcd";

describe("a call about a sale", () => {
  it("has the sale's number and attribute, however its UUID is written", () => {
    for (const saleUuid of [SALE_UUID, SALE_UUID.toLowerCase()]) {
      expect(saleNumber({ saleUuid })).toBe(0x1111abcd);
      expect(saleAttributes({ saleUuid })).toEqual({ "tidemark.sale_uuid": SALE_UUID.toLowerCase() });
    }
  });

  it.each([{}, { saleUuid: "sale" }, { saleUuid: 7 }, { saleUuids: [SALE_UUID] }])("has none for %j", (message) => {
    expect(saleNumber(message)).toBeUndefined();
    expect(saleAttributes(message)).toEqual({});
  });
});
