import { create, type JsonObject } from "@bufbuild/protobuf";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import type { Fraction } from "../../../common/sale/definition/fraction.ts";
import type {
  CommitmentData,
  PresentedCommitment,
  PresentedPrice,
} from "../../../common/sale/figures/commitment-data.ts";
import type { ListedCommitment } from "../../../common/sale/figures/listed-commitment.ts";
import { amountMessage, recordMessage } from "../../../common/sale/record/commitment-message.ts";
import {
  type ClearingPrice as ClearingPriceMessage,
  type CommitmentData as CommitmentDataMessage,
  CommitmentDataSchema,
  type Commitment as CommitmentMessage,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { ListedCommitmentSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Fraction as FractionMessage } from "../../../proto/gen/tidemark/commitments/v1/fraction_pb.ts";

export function commitmentDataMessage(data: CommitmentData): CommitmentDataMessage {
  const { offeredTokenDecimals, clearing } = data;
  return create(CommitmentDataSchema, {
    commitments: data.commitments.map(commitmentMessage),
    totalAmount: data.total.toString(),
    commitmentCount: data.count,
    paymentTokenDecimals: data.paymentTokenDecimals,
    ...(offeredTokenDecimals === undefined ? {} : { offeredTokenDecimals }),
    ...(clearing === undefined ? {} : { clearingPrice: clearingPriceMessage(clearing) }),
    belowFloorAmount: belowFloorText(clearing, data.belowFloor ?? 0n),
  });
}

/**
 * Returns the amount below the floor as messages have it: empty outside of auctions. In an auction `0` differs from what an
 * older version leaves out.
 */
export function belowFloorText(clearing: PresentedPrice | undefined, amount: bigint): string {
  return clearing === undefined ? "" : amount.toString();
}

/** Converts a stored commitment, with how it counts. */
export function listedMessage({ record, active, amount }: ListedCommitment) {
  return create(ListedCommitmentSchema, { record: recordMessage(record), active, amount: amount.toString() });
}

/**
 * Converts a commitment to its message. This message and those below are written out, as `create` is slower: a body has a
 * hundred of them, and each update some.
 */
export function commitmentMessage(commitment: PresentedCommitment): CommitmentMessage {
  const { price, microUsd } = commitment;
  return {
    $typeName: "tidemark.commitments.v1.Commitment",
    commitmentId: messageBytes(commitment.commitmentId),
    entityId: messageBytes(commitment.entityId),
    price: fractionMessage(price),
    ...(microUsd === undefined ? {} : { priceMicroUsd: microUsd.toString() }),
    amounts: commitment.amounts.map(amountMessage),
    createdAtSeconds: commitment.createdAtSeconds,
    extraData: new Uint8Array(commitment.extraData),
    extraDataParsed: commitment.extraDataParsed as JsonObject,
  };
}

export function clearingPriceMessage({ price, microUsd }: PresentedPrice): ClearingPriceMessage {
  return {
    $typeName: "tidemark.commitments.v1.ClearingPrice",
    price: fractionMessage(price),
    ...(microUsd === undefined ? {} : { microUsd: microUsd.toString() }),
  };
}

export function fractionMessage({ numerator, denominator }: Fraction): FractionMessage {
  return {
    $typeName: "tidemark.commitments.v1.Fraction",
    numerator: numerator.toString(),
    denominator: denominator.toString(),
  };
}
