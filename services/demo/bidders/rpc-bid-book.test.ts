import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { describe, expect, it } from "vitest";
import { CommitmentRecordSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { AUCTION } from "../sales/demo-sales.ts";
import type { Bid } from "./bid.ts";
import { bidOfRecord, recordOfBid } from "./rpc-bid-book.ts";

const [token = "", otherToken = ""] = AUCTION.tokens;
const bid: Bid = {
  entity: 0x0102,
  createdAtSeconds: 1_769_860_800n,
  priceTicks: 250n,
  refunded: false,
  amounts: [
    { wallet: 0, token, amount: 5_000_000n },
    { wallet: 1, token: otherToken, amount: 2n ** 64n },
  ],
};
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("the record of a bid", () => {
  it("keeps everything", () => {
    expect(bidOfRecord(recordOfBid(bid))).toEqual(bid);
    const cancelled = { ...bid, refunded: true, amounts: bid.amounts.map((entry) => ({ ...entry, amount: 0n })) };
    expect(bidOfRecord(recordOfBid(cancelled))).toEqual(cancelled);
  });

  it("passes the validation of the RPC", () => {
    expect(createValidator().validate(CommitmentRecordSchema, recordOfBid(bid))).toMatchObject({ kind: "valid" });
  });

  it("has the entity's ID, padded, as commitment ID, and its number as index", () => {
    const { commitmentId, entityId, sourceIndex } = recordOfBid(bid);
    expect(hex(entityId)).toBe("de300000000000000000000000000102");
    expect(hex(commitmentId)).toBe(hex(entityId) + "0".repeat(32));
    expect(sourceIndex).toBe(0x0102n);
  });

  it("gives each wallet of each entity an address of its own", () => {
    const addresses = [bid, { ...bid, entity: 7 }].flatMap((each) =>
      recordOfBid(each).amounts.map(({ wallet }) => wallet),
    );
    expect(new Set(addresses).size).toBe(4);
    for (const address of addresses) expect(address).toMatch(/^0x[0-9a-f]{40}$/);
  });

  it("takes a record without an index for that of entity 0", () => {
    expect(bidOfRecord(create(CommitmentRecordSchema)).entity).toBe(0);
  });
});
