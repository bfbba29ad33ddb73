import { expect, it } from "vitest";
import { READ_SELECTORS } from "./read-selectors.ts";
import { loadSaleCalls } from "./sale-calls.ts";

it("are those of the calls by which contracts are read", async () => {
  const { numCommitments, rows } = await loadSaleCalls();
  expect(READ_SELECTORS).toEqual({
    numCommitments: numCommitments.data,
    readCommitmentDataIn: rows(0n, 1n).data.slice(0, 10),
  });
});
