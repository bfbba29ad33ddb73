import type { ListKey } from "../../../common/sale/figures/public-list.ts";
import { COMMITMENT_LIMITS } from "../../../common/sale/record/commitment-limits.ts";
import type {
  ClearingPrice,
  Commitment,
  CommitmentData,
  WalletTokenAmount,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { Fraction } from "../../../proto/gen/tidemark/commitments/v1/fraction_pb.ts";

/** A commitment of the list, with its text in the body; its ID has `0x`. */
export interface ListedCommitment extends ListKey {
  readonly json: string;
  /** Length of the JSON in UTF-8. */
  readonly jsonBytes: number;
}

/** The figures of the body: everything besides the list. */
export type PublicFigures = Pick<
  CommitmentData,
  | "totalAmount"
  | "commitmentCount"
  | "paymentTokenDecimals"
  | "offeredTokenDecimals"
  | "clearingPrice"
  | "belowFloorAmount"
>;

/** Whether figures of an auction lack the amount below its floor, as those of an older commitments service do. */
export function lackBelowFloor({
  clearingPrice,
  belowFloorAmount,
}: Pick<PublicFigures, "clearingPrice" | "belowFloorAmount">): boolean {
  return clearingPrice !== undefined && belowFloorAmount === "";
}

/** The body of the public read (system description, 2.3), with the list and the figures that it is made of. */
export class PublicBody {
  readonly listed: readonly ListedCommitment[];
  readonly figures: PublicFigures;
  /** The fields of the figures as JSON, without braces. */
  readonly figuresJson: string;
  /** Length of its JSON in UTF-8. */
  readonly byteLength: number;

  /** @param listed in the order of the list */
  constructor(listed: readonly ListedCommitment[], figures: PublicFigures) {
    this.listed = listed;
    this.figures = figures;
    this.figuresJson = jsonOfFigures(figures);
    const commas = Math.max(0, listed.length - 1);
    const ofList = listed.reduce((sum, { jsonBytes }) => sum + jsonBytes, commas);
    this.byteLength = ofList + Buffer.byteLength(this.figuresJson) + FRAME.join("").length;
  }

  /** Whether another one has the same bytes. */
  equals({ listed, figuresJson }: PublicBody): boolean {
    const isSameList =
      listed.length === this.listed.length && listed.every(({ json }, at) => json === this.listed[at]?.json);
    return isSameList && figuresJson === this.figuresJson;
  }

  /**
   * Returns the body as JSON in UTF-8. Amounts and prices are strings, counts and decimals are integers, and optional
   * fields that aren't set are left out. The bytes are made on each call: between two reads a sale may change many
   * times.
   */
  bytes(): Buffer {
    const [before, between, after] = FRAME;
    return Buffer.from(`${before}${this.listed.map(({ json }) => json).join()}${between}${this.figuresJson}${after}`);
  }
}

/** Parts of a body besides its own bytes: its figures, and where each commitment is in the bytes. */
export interface BodyLayout {
  readonly figures: PublicFigures;
  /** Length of the JSON of each commitment in UTF-8. */
  readonly jsonBytes: Uint32Array;
  readonly createdAtSeconds: BigInt64Array;
}

export function layoutOf({ listed, figures }: PublicBody): BodyLayout {
  return {
    figures,
    jsonBytes: Uint32Array.from(listed, ({ jsonBytes }) => jsonBytes),
    createdAtSeconds: BigInt64Array.from(listed, ({ createdAtSeconds }) => createdAtSeconds),
  };
}

/** Returns the body that has the layout and these bytes. */
export function bodyOfLayout({ figures, jsonBytes, createdAtSeconds }: BodyLayout, bytes: Buffer): PublicBody {
  let start = FRAME[0].length;
  const listed = Array.from(jsonBytes, (length, index) => {
    const json = bytes.toString("utf8", start, start + length);
    start += length + 1;
    const commitmentId = json.slice(BEFORE_ID.length, json.indexOf('"', BEFORE_ID.length));
    return { commitmentId, createdAtSeconds: createdAtSeconds[index] ?? 0n, json, jsonBytes: length };
  });
  return new PublicBody(listed, figures);
}

/** The beginning of a commitment's JSON. */
const BEFORE_ID = '{"CommitmentID":"';

/** The JSON around the list and the figures. */
const FRAME = ['{"Commitments":[', "],", "}"] as const;

/** @throws TypeError or RangeError where the message breaks its contract (no price, a time beyond year 9999) */
export function publicBody(data: CommitmentData): PublicBody {
  const { totalAmount, commitmentCount, paymentTokenDecimals, offeredTokenDecimals, clearingPrice, belowFloorAmount } =
    data;
  return new PublicBody(data.commitments.map(listedCommitment), {
    totalAmount,
    commitmentCount,
    paymentTokenDecimals,
    ...(offeredTokenDecimals !== undefined && { offeredTokenDecimals }),
    ...(clearingPrice && { clearingPrice }),
    belowFloorAmount,
  });
}

/** @throws as `publicBody` does */
export function listedCommitment(commitment: Commitment): ListedCommitment {
  const shown = publicCommitment(commitment);
  const json = JSON.stringify(shown);
  const { createdAtSeconds } = commitment;
  return { commitmentId: shown.CommitmentID, createdAtSeconds, json, jsonBytes: Buffer.byteLength(json) };
}

function jsonOfFigures(figures: PublicFigures): string {
  const fields = [
    `"TotalCommitmentAmount":${JSON.stringify(figures.totalAmount)}`,
    // An int64: written from the bigint, since JSON.stringify only knows doubles.
    `"UniqueCommitmentCount":${figures.commitmentCount}`,
    `"PaymentTokenDecimals":${figures.paymentTokenDecimals}`,
  ];
  if (figures.offeredTokenDecimals !== undefined) fields.push(`"OfferedTokenDecimals":${figures.offeredTokenDecimals}`);
  if (figures.clearingPrice !== undefined) fields.push(clearingFields(figures.clearingPrice));
  const { belowFloorAmount } = figures;
  if (!["", "0"].includes(belowFloorAmount)) fields.push(`"BelowFloorAmount":${JSON.stringify(belowFloorAmount)}`);
  return fields.join();
}

/** Returns the fields of a clearing price as JSON, without braces. */
export function clearingFields({ price, microUsd }: ClearingPrice): string {
  const { numerator, denominator } = required(price, "clearing_price.price");
  const fields = { ClearingPriceNumerator: numerator, ClearingPriceDenominator: denominator };
  return JSON.stringify({ ...fields, ClearingPriceMicroUSD: microUsd }).slice(1, -1);
}

/** Returns a commitment as the public reads it. @throws as `publicBody` does */
export function publicCommitment(commitment: Commitment) {
  const { numerator, denominator } = required(commitment.price, "commitments.price");
  return {
    CommitmentID: hex(commitment.commitmentId),
    SaleSpecificEntityID: hex(commitment.entityId),
    PriceNumerator: numerator,
    PriceDenominator: denominator,
    // JSON.stringify leaves out undefined fields.
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

/** Returns `0x` and hex. */
export function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}

/**
 * Returns a time as RFC 3339 in UTC with whole seconds.
 *
 * @throws RangeError beyond year 9999
 */
export function timestamp(seconds: bigint): string {
  if (seconds > COMMITMENT_LIMITS.lastCreatedAtSeconds) throw new RangeError(`time ${seconds} s is beyond year 9999`);
  // Up to the year 9999 the milliseconds are below 2^53, so the number is exact.
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z`;
}

/** @throws TypeError naming the field, where the message lacks it */
export function required(fraction: Fraction | undefined, field: string): Fraction {
  if (fraction === undefined) throw new TypeError(`${field} is missing`);
  return fraction;
}
