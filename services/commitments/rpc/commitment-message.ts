import { create, type JsonObject } from "@bufbuild/protobuf";
import {
  type ClearingPrice as ClearingPriceMessage,
  ClearingPriceSchema,
  type CommitmentData as CommitmentDataMessage,
  CommitmentDataSchema,
  CommitmentSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { ListedCommitmentSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import {
  type Fraction as FractionMessage,
  FractionSchema,
} from "../../../proto/gen/tidemark/commitments/v1/fraction_pb.ts";
import { recordMessage } from "../../shared/commitment-message.ts";
import { messageBytes } from "../../shared/hex.ts";
import type { WalletTokenAmount } from "../domain/commitment.ts";
import type { CommitmentData, PresentedCommitment, PresentedPrice } from "../domain/commitment-data.ts";
import type { Fraction } from "../domain/fraction.ts";
import type { ListedCommitment } from "../store/list-rows.ts";

export function commitmentDataMessage(data: CommitmentData): CommitmentDataMessage {
  const { offeredTokenDecimals, clearing } = data;
  return create(CommitmentDataSchema, {
    commitments: data.commitments.map(commitmentMessage),
    totalAmount: data.total.toString(),
    commitmentCount: data.count,
    paymentTokenDecimals: data.paymentTokenDecimals,
    ...(offeredTokenDecimals === undefined ? {} : { offeredTokenDecimals }),
    ...(clearing === undefined ? {} : { clearingPrice: clearingPriceMessage(clearing) }),
  });
}

/** A commitment as it is stored, and how it counts. */
export function listedMessage({ record, active, amount }: ListedCommitment) {
  return create(ListedCommitmentSchema, { record: recordMessage(record), active, amount: amount.toString() });
}

export function commitmentMessage(commitment: PresentedCommitment) {
  const { price, microUsd } = commitment;
  return create(CommitmentSchema, {
    commitmentId: messageBytes(commitment.commitmentId),
    entityId: messageBytes(commitment.entityId),
    price: fractionMessage(price),
    ...(microUsd === undefined ? {} : { priceMicroUsd: microUsd.toString() }),
    amounts: commitment.amounts.map(amountMessage),
    createdAtSeconds: commitment.createdAtSeconds,
    extraData: new Uint8Array(commitment.extraData),
    extraDataParsed: commitment.extraDataParsed as JsonObject,
  });
}

function amountMessage({ wallet, token, amount }: WalletTokenAmount) {
  return { wallet, token, amount: amount.toString() };
}

export function clearingPriceMessage({ price, microUsd }: PresentedPrice): ClearingPriceMessage {
  return create(ClearingPriceSchema, {
    price: fractionMessage(price),
    ...(microUsd === undefined ? {} : { microUsd: microUsd.toString() }),
  });
}

export function fractionMessage({ numerator, denominator }: Fraction): FractionMessage {
  return create(FractionSchema, { numerator: numerator.toString(), denominator: denominator.toString() });
}
