import { create } from "@bufbuild/protobuf";
import { type CommitmentData, CommitmentDataSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";

/** The UUID that `post-sale.lua` asks for. */
export const SAMPLE_SALE = "11111111-1111-4111-8111-111111111111";

const COMMITMENTS = 100;
const FIRST_SECOND = 1_769_860_800n;

/** What the public read shows of an auction with 100 commitments of two wallets and tokens each. */
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

/** As many points as a history has at most, a minute each, up to the first commitment's time. */
export function sampleHistory() {
  return Array.from({ length: 300 }, (_, index) => ({
    fromSeconds: FIRST_SECOND - 60n * BigInt(300 - index),
    seconds: 60,
    totalAmount: String(123_456_789_000_000 + index * 1_000_000),
    commitmentCount: BigInt(4_700 + index),
  }));
}

/** As many levels as a demand has at most. */
export function sampleDemand() {
  const levels = Array.from({ length: 200 }, (_, index) => {
    const price = { numerator: String(1_000_000 - index * 1_000), denominator: "1000000000000000000" };
    const amounts = { amount: "600000000000", cumulativeAmount: String(600_000_000_000 * (index + 1)) };
    return { lowestPrice: price, highestPrice: price, ...amounts, commitmentCount: 25n };
  });
  return { levels, clearingPrice: sampleCommitmentData().clearingPrice };
}
