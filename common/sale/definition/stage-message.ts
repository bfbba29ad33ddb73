import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleStage as Stage } from "./sale.ts";

const STAGES: Readonly<Record<Stage, SaleStage>> = {
  pre_open: SaleStage.PRE_OPEN,
  commitment: SaleStage.COMMITMENT,
  closed: SaleStage.CLOSED,
  cancellation: SaleStage.CANCELLATION,
  settlement: SaleStage.SETTLEMENT,
  done: SaleStage.DONE,
};

export function stageMessage(stage: Stage | undefined): SaleStage {
  return stage === undefined ? SaleStage.UNSPECIFIED : STAGES[stage];
}
