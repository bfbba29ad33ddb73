import { randomUUID } from "node:crypto";
import type { Client } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Bid } from "./bid.ts";
import type { BidBook } from "./bid-book.ts";
import { bidOfRecord, recordOfBid } from "./bid-record.ts";

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
