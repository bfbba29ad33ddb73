import { describe, expect, it } from "vitest";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { stageMessage } from "./stage-message.ts";

describe("stageMessage", () => {
  it.each([
    ["pre_open", SaleStage.PRE_OPEN],
    ["commitment", SaleStage.COMMITMENT],
    ["closed", SaleStage.CLOSED],
    ["cancellation", SaleStage.CANCELLATION],
    ["settlement", SaleStage.SETTLEMENT],
    ["done", SaleStage.DONE],
    [undefined, SaleStage.UNSPECIFIED],
  ] as const)("says %s as %s", (stage, message) => {
    expect(stageMessage(stage)).toBe(message);
  });
});
