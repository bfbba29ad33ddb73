import { create } from "@bufbuild/protobuf";
import {
  type CommitmentRecord,
  CommitmentRecordSchema,
} from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { SaleStage } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
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

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Bytes for a message: a copy of their own, not a view into Node's buffer pool. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

export function recordMessage(commitment: SourceCommitment): CommitmentRecord {
  return create(CommitmentRecordSchema, {
    commitmentId: bytesOf(commitment.commitmentId),
    entityId: bytesOf(commitment.entityId),
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
    commitmentId: hexOf(record.commitmentId),
    entityId: hexOf(record.entityId),
    createdAtSeconds: record.createdAtSeconds,
    priceTicks: record.priceTicks,
    lockup: record.lockup,
    refunded: record.refunded,
    amounts: record.amounts.map(({ wallet, token, amount }) => ({ wallet, token, amount: BigInt(amount) })),
    extraData: record.extraData,
    sourceIndex: record.sourceIndex ?? 0n,
  };
}
