import { describe, expect, it } from "vitest";
import { saleRow } from "../../../test/support/chains/evm-chain.ts";
import { amountTexts, rowDifferences } from "./row-differences.ts";

const row = saleRow(2);

describe("rowDifferences", () => {
  it("finds none for another order of the amounts", () => {
    expect(rowDifferences(row, { ...row, amounts: row.amounts.toReversed() })).toEqual([]);
  });

  it.each([
    ["entity", { entityId: "f".repeat(32) }, `0x${"f".repeat(32)}`],
    ["time", { createdAtSeconds: 5n }, "5"],
    ["price", { priceTicks: 8n }, "8 ticks"],
    ["lockup", { lockup: true }, "true"],
    ["refunded", { refunded: true }, "true"],
    ["demand", { demand: 5n }, "5"],
    ["extra data", { extraData: Uint8Array.of(9) }, "0x09"],
  ])("names the %s", (field, change, shown) => {
    expect(rowDifferences({ ...row, ...change }, row)).toEqual([expect.objectContaining({ field, shown })]);
  });

  it("names only the amounts that differ, each as often as it does", () => {
    const [one, other] = [
      { wallet: "w", token: "t", amount: 1n },
      { wallet: "w", token: "t", amount: 2n },
    ];
    expect(amountTexts([one, one, other], [one, other])).toEqual(["1 of t from w", "without it"]);
    expect(amountTexts([one], [other])).toEqual(["1 of t from w", "2 of t from w"]);
    expect(amountTexts([one, other], [other, one])).toEqual(["", ""]);
  });
});
