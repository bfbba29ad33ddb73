import { create } from "@bufbuild/protobuf";
import { type CommitmentData, CommitmentDataSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";

/** The UUID in the requests of `post-sale.lua`. */
export const SAMPLE_SALE = "11111111-1111-4111-8111-111111111111";

const COMMITMENTS = 100;
const FIRST_SECOND = 1_769_860_800n;

/** Public data of an auction with 100 commitments, each with two wallets and tokens. */
export function sampleCommitmentData(): CommitmentData {
  return create(CommitmentDataSchema, {
    commitments: Array.from({ length: COMMITMENTS }, (_, index) => sampleCommitment(index)),
    totalAmount: "123456789012345",
    commitmentCount: 5000n,
    paymentTokenDecimals: 6,
    offeredTokenDecimals: 18,
    clearingPrice: { price: { numerator: "750000", denominator: "1000000000000000000" }, microUsd: "750000" },
  });
}

function sampleCommitment(index: number) {
  const id = Buffer.alloc(32);
  id.writeUInt32BE(index);
  return {
    commitmentId: id,
    entityId: id.subarray(0, 16),
    price: { numerator: String(750_000 + index), denominator: "1000000000000000000" },
    priceMicroUsd: String(750_000 + index),
    amounts: ["a1", "b2"].map((byte) => ({
      wallet: `0x${byte.repeat(20)}`,
      token: `0x${byte.repeat(20)}`,
      amount: String(1_000_000_000 + index),
    })),
    createdAtSeconds: FIRST_SECOND - BigInt(index),
  };
}

/** A history with as many points as possible, one a minute, up to the time of the first commitment. */
export function sampleHistory() {
  return Array.from({ length: 300 }, (_, index) => ({
    fromSeconds: FIRST_SECOND - 60n * BigInt(300 - index),
    seconds: 60,
    totalAmount: String(123_456_789_000_000 + index * 1_000_000),
    commitmentCount: BigInt(4_700 + index),
  }));
}

/** A demand curve with as many levels as possible. */
export function sampleDemand() {
  const levels = Array.from({ length: 200 }, (_, index) => {
    const price = { numerator: String(1_000_000 - index * 1_000), denominator: "1000000000000000000" };
    const amounts = { amount: "600000000000", cumulativeAmount: String(600_000_000_000 * (index + 1)) };
    return { lowestPrice: price, highestPrice: price, ...amounts, commitmentCount: 25n };
  });
  return { levels, clearingPrice: sampleCommitmentData().clearingPrice };
}
