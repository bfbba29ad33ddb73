import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { ticksOf } from "../../../common/sale/record/ticks.ts";
import {
  type CommitmentRecord,
  CommitmentRecordSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Bid } from "./bid.ts";
import type { BidBook } from "./bid-book.ts";
import { entityId, walletAddress } from "./bid-identity.ts";

const PAGE_SIZE = 500;

type Commitments = Pick<Client<typeof CommitmentService>, "applyCommitments" | "listCommitments">;

/** The bids of a sale without a source. They go to the commitments service by RPC. */
export function rpcBidBook(commitments: Commitments, saleUuid: string): BidBook {
  return {
    takesCancellations: true,
    placed: () => placedBids(commitments, saleUuid),
    place: async (bids) => {
      const latest = new Map(bids.map((bid) => [bid.entity, bid]));
      const upserts = [...latest.values()].map(recordOfBid);
      await commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts });
    },
  };
}

async function placedBids(commitments: Commitments, saleUuid: string): Promise<readonly Bid[]> {
  const bids: Bid[] = [];
  let pageToken = "";
  do {
    const page = await commitments.listCommitments({ saleUuid, pageSize: PAGE_SIZE, pageToken });
    for (const { record } of page.commitments) if (record !== undefined) bids.push(bidOfRecord(record));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return bids.sort((left, right) => left.entity - right.entity);
}

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
    priceTicks: bid.priceTicks.toString(),
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
    priceTicks: ticksOf(record.priceTicks),
    refunded: record.refunded,
    amounts: record.amounts.map(({ token, amount }, wallet) => ({ wallet, token, amount: BigInt(amount) })),
  };
}
