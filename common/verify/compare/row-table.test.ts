import { describe, expect, it } from "vitest";
import { saleRow } from "../../../test/support/chains/evm-chain.ts";
import { commitmentDigest } from "../../sale/record/commitment-digest.ts";
import { RowTable } from "./row-table.ts";

describe("RowTable", () => {
  it("has digest, index and flag of thousands of rows, and those that nobody looked up", () => {
    const table = new RowTable();
    for (let number = 0; number < 5_000; number += 1) {
      const row = saleRow(number);
      const indexed = number % 3 === 0 ? row : { ...row, sourceIndex: BigInt(number) };
      expect(table.add(indexed, number % 2 === 0)).toBe(true);
    }
    expect(table.size).toBe(5_000);
    for (let number = 0; number < 5_000; number += 1) {
      if (number === 7 || number === 4_321) continue;
      const row = saleRow(number);
      expect(table.see(row.commitmentId)).toEqual({
        digest: commitmentDigest(row),
        sourceIndex: number % 3 === 0 ? undefined : BigInt(number),
        active: number % 2 === 0,
      });
    }
    expect([...table.unseen()]).toEqual([saleRow(7), saleRow(4_321)].map(({ commitmentId }) => commitmentId));
  });

  it("refuses a second row with the same ID, and doesn't know others", () => {
    const table = new RowTable();
    table.add(saleRow(1), true);
    expect(table.add(saleRow(1, { priceTicks: 9n }), true)).toBe(false);
    expect(table.see(saleRow(2).commitmentId)).toBeUndefined();
    expect([...table.unseen()]).toHaveLength(1);
  });
});
