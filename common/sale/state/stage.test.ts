import { describe, expect, it } from "vitest";
import { SaleStage, SaleStageSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { enumNames } from "../../platform/encoding/enum-name.ts";
import { hasBiddingEnded } from "./bidding.ts";
import { SALE_STAGES, stageMessage, stageOf, stageText } from "./stage.ts";

describe("a stage", () => {
  it.each([
    ["pre_open", SaleStage.PRE_OPEN],
    ["commitment", SaleStage.COMMITMENT],
    ["closed", SaleStage.CLOSED],
    ["cancellation", SaleStage.CANCELLATION],
    ["settlement", SaleStage.SETTLEMENT],
    ["done", SaleStage.DONE],
    [undefined, SaleStage.UNSPECIFIED],
  ] as const)("%s has one message", (stage, message) => {
    expect(stageMessage(stage)).toBe(message);
    expect(stageOf(message)).toBe(stage);
  });

  it("has the name of its message, and words of its own", () => {
    expect([...SALE_STAGES].sort()).toEqual([...enumNames(SaleStageSchema)].sort());
    expect(new Set([undefined, ...SALE_STAGES].map(stageText)).size).toBe(SALE_STAGES.length + 1);
  });

  it("ends bidding from `closed` on", () => {
    expect(SALE_STAGES.filter((stage) => !hasBiddingEnded(stage))).toEqual(["pre_open", "commitment"]);
  });
});
