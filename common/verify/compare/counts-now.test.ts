import { describe, expect, it } from "vitest";
import { saleRow } from "../../../test/support/chains/evm-chain.ts";
import { countsNow } from "./counts-now.ts";

const kept = saleRow(1);
const refunded = saleRow(1, { refunded: true });
const empty = saleRow(1, { amounts: kept.amounts.map((amount) => ({ ...amount, amount: 0n })) });

describe("countsNow", () => {
  it.each([
    ["a commitment", kept, false, true, true],
    ["a commitment of a settled sale", kept, true, true, true],
    ["one without an amount", empty, true, false, false],
    ["a refunded one", refunded, false, false, false],
    ["a refunded one of a settled sale, whose contract takes cancelled amounts away", refunded, true, false, true],
    ["a refunded one of a settled sale, whose contract keeps them", refunded, true, true, undefined],
    ["a refunded one of a settled sale of unknown version", refunded, true, undefined, undefined],
    ["a refunded one without an amount of a contract that keeps them", { ...empty, refunded: true }, true, true, false],
  ])("knows of %s whether it counts", (_, row, settled, keepsAmounts, counts) => {
    expect(countsNow(row, settled, keepsAmounts)).toBe(counts);
  });
});
