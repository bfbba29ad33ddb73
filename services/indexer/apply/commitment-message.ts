import type { CommitmentRecord } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { recordOf } from "../../shared/commitment-record/commitment-message.ts";
import type { SourceCommitment, SourceStage } from "../source/source-commitment.ts";

const STAGES: Readonly<Record<SourceStage, SaleStage>> = {
  pre_open: SaleStage.PRE_OPEN,
  commitment: SaleStage.COMMITMENT,
  cancellation: SaleStage.CANCELLATION,
  settlement: SaleStage.SETTLEMENT,
  done: SaleStage.DONE,
};

export function stageMessage(stage: SourceStage | undefined): SaleStage {
  return stage === undefined ? SaleStage.UNSPECIFIED : STAGES[stage];
}

/** A stored commitment. Those that were read from a contract always have an index. */
export function commitmentOf(record: CommitmentRecord): SourceCommitment {
  return { ...recordOf(record), sourceIndex: record.sourceIndex ?? 0n };
}
