import type { Buffer } from "node:buffer";

/** The numbers of ticks that were all there were before sales with wide prices: those below 2^64. */
const NARROW_BYTES = 8;
const WIDE_BYTES = 20;

/** Returns the number of price ticks of a message: a decimal integer, or empty for 0. @throws SyntaxError for any other text */
export function ticksOf(text: string): bigint {
  return BigInt(text);
}

/** Returns the bytes that `writeTicks` writes: 8 for a number below 2^64, 20 for any other. */
export function ticksBytes(ticks: bigint): number {
  return ticks >> 64n === 0n ? NARROW_BYTES : WIDE_BYTES;
}

/**
 * Writes a number of ticks, big-endian, in its canonical form: each number has one, and no two share it.
 *
 * @returns the offset after it
 * @throws RangeError for a number that isn't 0 to 2^160-1
 */
export function writeTicks(bytes: Buffer, ticks: bigint, at: number): number {
  if (ticksBytes(ticks) === NARROW_BYTES) return bytes.writeBigUInt64BE(ticks, at);
  const high = ticks >> 128n;
  if (high < 0n || high > 0xffff_ffffn) throw new RangeError("a number of ticks must be 0 to 2^160-1");
  bytes.writeUInt32BE(Number(high), at);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, ticks >> 64n), at + 4);
  return bytes.writeBigUInt64BE(BigInt.asUintN(64, ticks), at + 12);
}
