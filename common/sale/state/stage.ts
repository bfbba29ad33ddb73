import { SaleStage as StageMessage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** The stage of a sale's contract. `closed` is only in version 1 of the reference contract. A sale is settled while it is `done`. */
export type SaleStage = "pre_open" | "commitment" | "closed" | "cancellation" | "settlement" | "done";

/** Each stage with its message, and its words for founders and operators. */
const STAGES: Readonly<Record<SaleStage, { readonly message: StageMessage; readonly text: string }>> = {
  pre_open: { message: StageMessage.PRE_OPEN, text: "before opening" },
  commitment: { message: StageMessage.COMMITMENT, text: "taking commitments" },
  closed: { message: StageMessage.CLOSED, text: "closed" },
  cancellation: { message: StageMessage.CANCELLATION, text: "cancellation" },
  settlement: { message: StageMessage.SETTLEMENT, text: "settlement" },
  done: { message: StageMessage.DONE, text: "done" },
};

/** All stages, in the order in which a contract passes them. */
export const SALE_STAGES = Object.keys(STAGES) as readonly SaleStage[];

export function stageMessage(stage: SaleStage | undefined): StageMessage {
  return stage === undefined ? StageMessage.UNSPECIFIED : STAGES[stage].message;
}

/** Returns the stage of a message; undefined where it isn't known. */
export function stageOf(message: StageMessage): SaleStage | undefined {
  return SALE_STAGES.find((stage) => STAGES[stage].message === message);
}

/** Returns a stage in words. */
export function stageText(stage: SaleStage | undefined): string {
  return stage === undefined ? "unknown" : STAGES[stage].text;
}
