import { create } from "@bufbuild/protobuf";
import {
  type CommitmentRecord,
  CommitmentRecordSchema,
} from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { SaleStage } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { hexOfBytes, messageBytes } from "../shared/hex.ts";
import type { SourceCommitment, SourceStage } from "./source-reader.ts";

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

export function recordMessage(commitment: SourceCommitment): CommitmentRecord {
  return create(CommitmentRecordSchema, {
    commitmentId: messageBytes(commitment.commitmentId),
    entityId: messageBytes(commitment.entityId),
    createdAtSeconds: commitment.createdAtSeconds,
    priceTicks: commitment.priceTicks,
    lockup: commitment.lockup,
    refunded: commitment.refunded,
    amounts: commitment.amounts.map(({ wallet, token, amount }) => ({ wallet, token, amount: amount.toString() })),
    extraData: new Uint8Array(commitment.extraData),
    sourceIndex: commitment.sourceIndex,
  });
}

export function commitmentOf(record: CommitmentRecord): SourceCommitment {
  return {
    commitmentId: hexOfBytes(record.commitmentId),
    entityId: hexOfBytes(record.entityId),
    createdAtSeconds: record.createdAtSeconds,
    priceTicks: record.priceTicks,
    lockup: record.lockup,
    refunded: record.refunded,
    amounts: record.amounts.map(({ wallet, token, amount }) => ({ wallet, token, amount: BigInt(amount) })),
    extraData: record.extraData,
    sourceIndex: record.sourceIndex ?? 0n,
  };
}
