import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { ticksBytes, writeTicks } from "./ticks.ts";

/** The parts of an amount that the digest covers. Addresses in canonical form (hexadecimal digits in lower case), amount 0 to 2^256-1. */
export interface DigestedAmount {
  readonly wallet: string;
  readonly token: string;
  readonly amount: bigint;
}

/** The parts of a commitment that the digest covers: all that its source says, except the index at the source. */
export interface DigestedCommitment {
  /** 64 hex digits. */
  readonly commitmentId: string;
  /** 32 hex digits. */
  readonly entityId: string;
  /** uint64. */
  readonly createdAtSeconds: bigint;
  /** 0 to 2^160-1. */
  readonly priceTicks: bigint;
  readonly lockup: boolean;
  readonly refunded: boolean;
  readonly amounts: readonly DigestedAmount[];
  readonly extraData: Uint8Array;
  /** The amounts that the contract accepts; absent where there are none. */
  readonly accepted?: readonly DigestedAmount[];
  /** 0 to 2^256-1; absent where the bid weighs its amount. */
  readonly demand?: bigint;
}

/** 16 bytes in hex. */
const DIGEST_DIGITS = 32;
/** The first byte of the canonical form, by the bytes of the ticks. It must change whenever the form changes. */
const FORM_VERSIONS: Readonly<Record<number, number>> = { 8: 1, 20: 2 };
/** The difference of the first byte of a form with a demand. */
const WITH_DEMAND = 2;
const FIXED_BYTES = 1 + 32 + 16 + 8 + 20 + 1 + 4 + 4 + 32;
const NUMBER_BYTES = 4;
const FIXED_AMOUNT_BYTES = 2 + 2 + 32;
const MAX_UTF8_BYTES_PER_UNIT = 3;

/** Reused for every record that fits: a digest is made without an `await`. Larger records get their own buffer. */
const scratch = Buffer.allocUnsafeSlow(8192);

/**
 * The first 16 bytes of the SHA-256 of a commitment's canonical form (`CommitmentDigest.digest` of the contract) in
 * hex, the same for every order of its amounts. Two readers that hold the same commitment get the same digest.
 *
 * The form, integers big-endian: version (1 byte), commitment ID (32), entity ID (16), created (8), ticks (in version 1, which is
 * for those below 2^64: 8; in version 2: 20), flags (1: lockup 1, refunded 2), number of amounts (4), per amount wallet and token
 * (each a 2-byte length and UTF-8) and amount (32), then length (4) and bytes of the extra data. Amounts are ordered by wallet,
 * token (code units), amount. Versions 3 and 4 are 1 and 2 with the demand (32) after that. Only where amounts are accepted, their
 * number and the amounts follow in the same way.
 *
 * @throws RangeError if an ID or a number doesn't fit its field
 */
export function commitmentDigest(commitment: DigestedCommitment): string {
  const bound = sizeBound(commitment);
  const form = bound <= scratch.length ? scratch : Buffer.allocUnsafeSlow(bound);
  const end = writeForm(form, commitment);
  return hash("sha256", form.subarray(0, end), "hex").slice(0, DIGEST_DIGITS);
}

function sizeBound({ amounts, extraData, accepted = [] }: DigestedCommitment): number {
  return FIXED_BYTES + NUMBER_BYTES + extraData.length + amountsBound(amounts) + amountsBound(accepted);
}

function amountsBound(amounts: readonly DigestedAmount[]): number {
  let bound = 0;
  for (const { wallet, token } of amounts) {
    bound += FIXED_AMOUNT_BYTES + MAX_UTF8_BYTES_PER_UNIT * (wallet.length + token.length);
  }
  return bound;
}

/** @returns the number of bytes written */
function writeForm(form: Buffer, commitment: DigestedCommitment): number {
  const { accepted = [], demand } = commitment;
  const version = FORM_VERSIONS[ticksBytes(commitment.priceTicks)] ?? 0;
  let at = form.writeUInt8(demand === undefined ? version : version + WITH_DEMAND, 0);
  at = writeId(form, commitment.commitmentId, 32, at);
  at = writeId(form, commitment.entityId, 16, at);
  at = form.writeBigUInt64BE(commitment.createdAtSeconds, at);
  at = writeTicks(form, commitment.priceTicks, at);
  at = form.writeUInt8((commitment.lockup ? 1 : 0) | (commitment.refunded ? 2 : 0), at);
  at = writeAmounts(form, commitment.amounts, at);
  at = form.writeUInt32BE(commitment.extraData.length, at);
  form.set(commitment.extraData, at);
  at += commitment.extraData.length;
  if (demand !== undefined) at = writeUint256(form, demand, at);
  return accepted.length === 0 ? at : writeAmounts(form, accepted, at);
}

function writeAmounts(form: Buffer, amounts: readonly DigestedAmount[], start: number): number {
  let at = form.writeUInt32BE(amounts.length, start);
  for (const amount of inCanonicalOrder(amounts)) at = writeAmount(form, amount, at);
  return at;
}

function inCanonicalOrder(amounts: readonly DigestedAmount[]): readonly DigestedAmount[] {
  return amounts.length < 2 ? amounts : amounts.toSorted(compareAmounts);
}

function compareAmounts(a: DigestedAmount, b: DigestedAmount): number {
  if (a.wallet !== b.wallet) return a.wallet < b.wallet ? -1 : 1;
  if (a.token !== b.token) return a.token < b.token ? -1 : 1;
  if (a.amount !== b.amount) return a.amount < b.amount ? -1 : 1;
  return 0;
}

function writeId(form: Buffer, hex: string, bytes: number, at: number): number {
  // `write` stops silently at the first character that is no hex digit.
  if (hex.length !== 2 * bytes || form.write(hex, at, bytes, "hex") !== bytes) {
    throw new RangeError(`expected an ID of ${2 * bytes} hex digits`);
  }
  return at + bytes;
}

function writeAmount(form: Buffer, { wallet, token, amount }: DigestedAmount, at: number): number {
  return writeUint256(form, amount, writeText(form, token, writeText(form, wallet, at)));
}

function writeText(form: Buffer, text: string, at: number): number {
  const length = form.write(text, at + 2, "utf8");
  form.writeUInt16BE(length, at);
  return at + 2 + length;
}

function writeUint256(form: Buffer, value: bigint, at: number): number {
  form.writeBigUInt64BE(value >> 192n, at);
  form.writeBigUInt64BE(BigInt.asUintN(64, value >> 128n), at + 8);
  form.writeBigUInt64BE(BigInt.asUintN(64, value >> 64n), at + 16);
  return form.writeBigUInt64BE(BigInt.asUintN(64, value), at + 24);
}
