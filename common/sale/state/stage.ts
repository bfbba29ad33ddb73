import { SaleStage as StageMessage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** The stage of a sale's contract. `closed` is only in version 1 of the reference contract. A sale is settled while it is `done`. */
export type SaleStage = "pre_open" | "commitment" | "closed" | "cancellation" | "settlement" | "done";

const MESSAGES: Readonly<Record<SaleStage, StageMessage>> = {
  pre_open: StageMessage.PRE_OPEN,
  commitment: StageMessage.COMMITMENT,
  closed: StageMessage.CLOSED,
  cancellation: StageMessage.CANCELLATION,
  settlement: StageMessage.SETTLEMENT,
  done: StageMessage.DONE,
};

/** The stages in words for founders and operators. The section `stage` of the dashboard's texts has them in each language. */
export const STAGE_WORDS = {
  unknown: "unknown",
  pre_open: "before opening",
  commitment: "taking commitments",
  closed: "closed",
  cancellation: "cancellation",
  settlement: "settlement",
  done: "done",
} as const satisfies Readonly<Record<SaleStage | "unknown", string>>;

/** All stages, in the order in which a contract passes them. */
export const SALE_STAGES = Object.keys(MESSAGES) as readonly SaleStage[];

export function stageMessage(stage: SaleStage | undefined): StageMessage {
  return stage === undefined ? StageMessage.UNSPECIFIED : MESSAGES[stage];
}

/** Returns the stage of a message; undefined where it isn't known. */
export function stageOf(message: StageMessage): SaleStage | undefined {
  return SALE_STAGES.find((stage) => MESSAGES[stage] === message);
}

/** Returns a stage in words. */
export function stageText(stage: SaleStage | undefined): string {
  return STAGE_WORDS[stage ?? "unknown"];
}
