import { describe, expect, it } from "vitest";
import { operatorsOnly } from "./operators-only.ts";
import { auctionDefinition, saleOf } from "./testing/samples.ts";

const sale = saleOf(auctionDefinition);

describe("operatorsOnly", () => {
  it("lets an operator open a sale", async () => {
    await expect(operatorsOnly.admit(sale, { name: "operator" })).resolves.toBeUndefined();
  });

  it.each(["gateway", "indexer", "operator2", "Operator", ""])("refuses %j", async (name) => {
    await expect(operatorsOnly.admit(sale, { name })).rejects.toMatchObject({ code: "permission_denied" });
  });
});
