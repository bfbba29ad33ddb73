import type { CommitmentRecord, WalletTokenAmount } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { hexOfBytes, messageBytes } from "../../platform/encoding/hex.ts";
import type { DigestedAmount, DigestedCommitment } from "./commitment-digest.ts";
import { ticksOf } from "./ticks.ts";

const NONE: readonly DigestedAmount[] = [];

/** The fields of a `CommitmentRecord`. */
export interface RecordedCommitment extends DigestedCommitment {
  readonly sourceIndex?: bigint;
}

/** A commitment as a message. An object literal, as `create` takes half as long again, and there are thousands. */
export function recordMessage(commitment: RecordedCommitment): CommitmentRecord {
  return {
    $typeName: "tidemark.commitments.v1.CommitmentRecord",
    commitmentId: messageBytes(commitment.commitmentId),
    entityId: messageBytes(commitment.entityId),
    createdAtSeconds: commitment.createdAtSeconds,
    priceTicks: commitment.priceTicks.toString(),
    lockup: commitment.lockup,
    refunded: commitment.refunded,
    amounts: commitment.amounts.map(amountMessage),
    extraData: new Uint8Array(commitment.extraData),
    ...(commitment.sourceIndex === undefined ? {} : { sourceIndex: commitment.sourceIndex }),
    accepted: (commitment.accepted ?? NONE).map(amountMessage),
    demand: commitment.demand?.toString() ?? "",
  };
}

/** An amount as a message; an object literal too. */
export function amountMessage({ wallet, token, amount }: DigestedAmount): WalletTokenAmount {
  return { $typeName: "tidemark.commitments.v1.WalletTokenAmount", wallet, token, amount: amount.toString() };
}

/** The commitment of a message, with addresses as the sender wrote them. Every amount must be decimal, and so must a demand. */
export function recordOf(message: CommitmentRecord) {
  return {
    commitmentId: hexOfBytes(message.commitmentId),
    entityId: hexOfBytes(message.entityId),
    createdAtSeconds: message.createdAtSeconds,
    priceTicks: ticksOf(message.priceTicks),
    lockup: message.lockup,
    refunded: message.refunded,
    amounts: message.amounts.map(amountOf),
    extraData: message.extraData,
    ...(message.sourceIndex === undefined ? {} : { sourceIndex: message.sourceIndex }),
    ...(message.accepted.length === 0 ? {} : { accepted: message.accepted.map(amountOf) }),
    ...(message.demand === "" ? {} : { demand: BigInt(message.demand) }),
  };
}

function amountOf({ wallet, token, amount }: WalletTokenAmount) {
  return { wallet, token, amount: BigInt(amount) };
}
