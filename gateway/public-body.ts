import type {
  ClearingPrice,
  Commitment,
  CommitmentData,
  WalletTokenAmount,
} from "../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { Fraction } from "../proto/gen/tidemark/commitments/v1/fraction_pb.ts";

/** 9999-12-31T23:59:59Z, the last second that RFC 3339 can write. */
const LAST_SECOND = 253_402_300_799n;

/**
 * The body of the public read (system description, 2.3) as UTF-8 JSON. Amounts and prices are strings, counts and
 * decimals integers; what is optional and not set is left out.
 *
 * @throws TypeError or RangeError where the message breaks its contract (no price, a time beyond year 9999)
 */
export function publicBody(data: CommitmentData): Buffer {
  const fields = [
    `"Commitments":${JSON.stringify(data.commitments.map(publicCommitment))}`,
    `"TotalCommitmentAmount":${JSON.stringify(data.totalAmount)}`,
    // An int64 in the interface: written from the bigint, since JSON.stringify only knows doubles.
    `"UniqueCommitmentCount":${data.commitmentCount}`,
    `"PaymentTokenDecimals":${data.paymentTokenDecimals}`,
  ];
  if (data.offeredTokenDecimals !== undefined) fields.push(`"OfferedTokenDecimals":${data.offeredTokenDecimals}`);
  if (data.clearingPrice !== undefined) fields.push(clearingFields(data.clearingPrice));
  return Buffer.from(`{${fields.join()}}`);
}

/** The fields of a clearing price, without braces. */
export function clearingFields({ price, microUsd }: ClearingPrice): string {
  const { numerator, denominator } = required(price, "clearing_price.price");
  const fields = { ClearingPriceNumerator: numerator, ClearingPriceDenominator: denominator };
  return JSON.stringify({ ...fields, ClearingPriceMicroUSD: microUsd }).slice(1, -1);
}

function publicCommitment(commitment: Commitment) {
  const { numerator, denominator } = required(commitment.price, "commitments.price");
  return {
    CommitmentID: hex(commitment.commitmentId),
    SaleSpecificEntityID: hex(commitment.entityId),
    PriceNumerator: numerator,
    PriceDenominator: denominator,
    // JSON.stringify leaves out what is undefined.
    PriceMicroUSD: commitment.priceMicroUsd,
    Amounts: commitment.amounts.map(publicAmount),
    CreatedAt: timestamp(commitment.createdAtSeconds),
    ExtraDataRaw: hex(commitment.extraData),
    ExtraDataParsed: commitment.extraDataParsed ?? {},
  };
}

function publicAmount({ wallet, token, amount }: WalletTokenAmount) {
  return { Wallet: wallet, TokenAddress: token, Amount: amount };
}

function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}

/**
 * RFC 3339 in UTC, whole seconds.
 *
 * @throws RangeError beyond year 9999
 */
export function timestamp(seconds: bigint): string {
  if (seconds > LAST_SECOND) throw new RangeError(`time ${seconds} s is beyond year 9999`);
  // Up to that bound the milliseconds are below 2^53, so that the number is exact.
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z`;
}

/** @throws TypeError naming the field, where the message lacks it */
export function required(fraction: Fraction | undefined, field: string): Fraction {
  if (fraction === undefined) throw new TypeError(`${field} is missing`);
  return fraction;
}
