import { describe, expect, it } from "vitest";
import type { SaleStatus } from "../state/status.ts";
import { activeClasses, type CountingClassInput, countingClassOf } from "./counting-class.ts";

const stateOf = (status: SaleStatus, settleCount = 0n) => ({ status, settleCount });
const open = stateOf("open");
const reopened = stateOf("open", 1n);
const settled = stateOf("settled", 1n);
const settledAgain = stateOf("settled", 2n);

const kept: CountingClassInput = { refunded: false, hasAmount: true };
const refunded: CountingClassInput = { refunded: true, hasAmount: true };

describe("the counting class of a commitment", () => {
  it.each([
    ["one that isn't refunded", kept, open, 1n],
    ["one that isn't refunded in a settled sale", kept, settled, 1n],
    ["a refunded one", refunded, open, 2n],
    ["one that is refunded in the settled sale", refunded, settled, 2n],
    ["one that was refunded before and isn't any more", { ...kept, before: 2n }, open, 1n],
    ["one without amount", { ...kept, hasAmount: false }, open, -1n],
    ["a refunded one without amount", { ...refunded, hasAmount: false }, open, -2n],
  ])("by refunded and amount: %s", (_, input, state, expected) => {
    expect(countingClassOf(input, state, false)).toBe(expected);
  });

  it.each([
    ["refunded while the sale was open", refunded, open, 2n],
    ["refunded after a re-organisation took the settling back", { ...refunded, before: 3n }, reopened, 2n],
    ["not refunded in the settled sale", { ...kept, before: 1n }, settled, 1n],
    ["refunded in the settled sale", { ...refunded, before: 1n }, settled, 3n],
    ["refunded in the sale that is settled for the second time", { ...refunded, before: 1n }, settledAgain, 4n],
    ["refunded in its first apply, in the settled sale", refunded, settled, 3n],
    ["refunded before the sale settled, and sent again", { ...refunded, before: 2n }, settled, 2n],
    ["refunded in the first settling, and sent again in the second", { ...refunded, before: 3n }, settledAgain, 3n],
    [
      "without amount and refunded before the sale settled",
      { ...refunded, hasAmount: false, before: -2n },
      settled,
      -2n,
    ],
    ["refunded before without amount, which now has one", { ...refunded, before: -2n }, settled, 2n],
    ["without amount, refunded in the settled sale", { ...refunded, hasAmount: false, before: -1n }, settled, -3n],
  ])("where cancelled ones keep their amounts: %s", (_, input, state, expected) => {
    expect(countingClassOf(input, state, true)).toBe(expected);
  });
});

describe("the active counting classes", () => {
  it.each([
    ["an open sale", open, false, [1n]],
    ["a settled sale", settled, false, [1n, 2n]],
    ["an open sale where cancelled ones keep their amounts", open, true, [1n]],
    ["such a sale, settled for the first time", settled, true, [1n, 3n]],
    ["such a sale, taken back by a re-organisation", reopened, true, [1n]],
    ["such a sale, settled for the second time", settledAgain, true, [1n, 4n]],
  ])("of %s", (_, state, keepsAmounts, expected) => {
    expect(activeClasses(state, keepsAmounts)).toEqual(expected);
  });

  it("never has one without amount", () => {
    for (const state of [open, settled, settledAgain]) {
      for (const keepsAmounts of [false, true]) {
        for (const isRefunded of [false, true]) {
          const countingClass = countingClassOf({ refunded: isRefunded, hasAmount: false }, state, keepsAmounts);
          expect(activeClasses(state, keepsAmounts)).not.toContain(countingClass);
        }
      }
    }
  });
});
