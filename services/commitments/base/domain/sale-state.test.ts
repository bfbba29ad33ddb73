import { describe, expect, it } from "vitest";
import type { SaleStage } from "../../../../common/sale/state/stage.ts";
import { openState } from "../../testing/samples.ts";
import { ALL_FILLED, newSaleState, type SaleState, withStage } from "./sale-state.ts";

describe("a new sale", () => {
  it.each([
    ["with a source can't be read yet", true, false],
    ["without one needs no snapshot", false, true],
  ])("%s", (_, hasSource, hasSnapshot) => {
    expect(newSaleState("00000000000000a1", hasSource)).toEqual({
      generation: "00000000000000a1",
      revision: 1n,
      status: "draft",
      settleCount: 0n,
      walletsFilledTo: ALL_FILLED,
      hasSnapshot,
      lease: { holder: "", epoch: 0n, untilMillis: 0n },
    });
  });
});

describe("withStage", () => {
  const settled: SaleState = { ...openState, status: "settled", stage: "done", settleCount: 1n };

  it.each<[string, SaleState, SaleStage, Partial<SaleState>]>([
    ["settles an open sale", openState, "done", { status: "settled", settleCount: 1n }],
    ["counts a settled sale once", settled, "done", { status: "settled", settleCount: 1n }],
    ["opens a settled sale again", settled, "settlement", { status: "open", settleCount: 1n }],
    ["counts the second time", { ...settled, status: "open" }, "done", { status: "settled", settleCount: 2n }],
    ["leaves a sale open in every other stage", openState, "cancellation", { status: "open", settleCount: 0n }],
  ])("%s", (_, state, stage, expected) => {
    expect(withStage(state, stage)).toEqual({ ...state, ...expected, stage });
  });

  it("changes nothing without a stage, nor in a draft", () => {
    expect(withStage(settled, undefined)).toBe(settled);
    const draft: SaleState = { ...openState, status: "draft" };
    expect(withStage(draft, "done")).toBe(draft);
  });
});
