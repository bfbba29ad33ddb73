import { create } from "@bufbuild/protobuf";
import {
  type CommitmentRecord,
  CommitmentRecordSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { Bid } from "./bid.ts";
import { entityId, walletAddress } from "./bid-identity.ts";

const COMMITMENT_BYTES = 32;

/** A bid as a sale contract would return it: the commitment ID is the entity ID, padded with zeros. */
export function recordOfBid(bid: Bid): CommitmentRecord {
  const id = entityId(bid.entity);
  const commitmentId = new Uint8Array(COMMITMENT_BYTES);
  commitmentId.set(id);
  return create(CommitmentRecordSchema, {
    commitmentId,
    entityId: id,
    createdAtSeconds: bid.createdAtSeconds,
    priceTicks: bid.priceTicks,
    refunded: bid.refunded,
    amounts: bid.amounts.map(({ wallet, token, amount }) => ({
      wallet: walletAddress(bid.entity, wallet),
      token,
      amount: amount.toString(),
    })),
    sourceIndex: BigInt(bid.entity),
  });
}

/** The bid in a record, the inverse of `recordOfBid`. */
export function bidOfRecord(record: CommitmentRecord): Bid {
  return {
    entity: Number(record.sourceIndex ?? 0n),
    createdAtSeconds: record.createdAtSeconds,
    priceTicks: record.priceTicks,
    refunded: record.refunded,
    amounts: record.amounts.map(({ token, amount }, wallet) => ({ wallet, token, amount: BigInt(amount) })),
  };
}
