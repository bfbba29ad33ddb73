import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type {
  CommitmentData,
  PresentedCommitment,
  PresentedPrice,
} from "../../../common/sale/figures/commitment-data.ts";
import type {
  ClearingPrice,
  Commitment,
  CommitmentData as CommitmentDataMessage,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { Fraction as FractionMessage } from "../../../proto/gen/tidemark/commitments/v1/fraction_pb.ts";

/** Reads the figures of a message. @throws Error where the message breaks its contract (a price is missing, a number isn't one) */
export function figuresOfMessage(message: CommitmentDataMessage): CommitmentData {
  const { offeredTokenDecimals, clearingPrice } = message;
  const belowFloor = BigInt(message.belowFloorAmount);
  return {
    commitments: message.commitments.map(commitmentOf),
    total: BigInt(message.totalAmount),
    count: message.commitmentCount,
    paymentTokenDecimals: message.paymentTokenDecimals,
    ...(offeredTokenDecimals === undefined ? {} : { offeredTokenDecimals }),
    ...(clearingPrice === undefined ? {} : { clearing: clearingOf(clearingPrice) }),
    ...(belowFloor === 0n ? {} : { belowFloor }),
  };
}

function commitmentOf(commitment: Commitment): PresentedCommitment {
  return {
    commitmentId: hexOfBytes(commitment.commitmentId),
    entityId: hexOfBytes(commitment.entityId),
    ...priceOf(commitment.price, commitment.priceMicroUsd),
    amounts: commitment.amounts.map(({ wallet, token, amount }) => ({ wallet, token, amount: BigInt(amount) })),
    createdAtSeconds: commitment.createdAtSeconds,
    extraData: commitment.extraData,
    extraDataParsed: (commitment.extraDataParsed ?? {}) as PresentedCommitment["extraDataParsed"],
  };
}

function clearingOf({ price, microUsd }: ClearingPrice): PresentedPrice {
  return priceOf(price, microUsd);
}

function priceOf(price: FractionMessage | undefined, microUsd: string | undefined): PresentedPrice {
  if (price === undefined) throw new TypeError("the answer has a price without a number");
  const fraction = { numerator: BigInt(price.numerator), denominator: BigInt(price.denominator) };
  return { price: fraction, ...(microUsd === undefined ? {} : { microUsd: BigInt(microUsd) }) };
}
