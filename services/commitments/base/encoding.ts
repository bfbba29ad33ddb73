import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { WalletTokenAmount } from "../../../common/sale/record/commitment.ts";
import { ticksBytes, writeTicks } from "../../../common/sale/record/ticks.ts";
import type { Int64 } from "./schema.ts";

/**
 * Encodes a number of ticks as big-endian bytes: SQLite can't bind 2^64-1.
 *
 * @throws RangeError for a number that isn't 0 to 2^160-1
 */
export function bytesOfTick(ticks: bigint): Buffer {
  const bytes = Buffer.alloc(ticksBytes(ticks));
  writeTicks(bytes, ticks, 0);
  return bytes;
}

export function tickOfBytes(bytes: Uint8Array): bigint {
  if (bytes.length > 8) return BigInt(`0x${hexOfBytes(bytes)}`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readBigUInt64BE();
}

export function bigintOf(value: Int64): bigint {
  return BigInt(value);
}

/** Encodes raw amounts as compact JSON: `[[wallet, token, amount], …]`. */
export function textOfAmounts(amounts: readonly WalletTokenAmount[]): string {
  return JSON.stringify(amounts.map(({ wallet, token, amount }) => [wallet, token, amount.toString()]));
}

/** Returns the wallets of encoded amounts, each once. */
export function walletsOfText(text: string): readonly string[] {
  return [...new Set(amountRows(text).map(([wallet]) => wallet))];
}

export function amountsOfText(text: string): WalletTokenAmount[] {
  return amountRows(text).map(([wallet, token, amount]) => ({ wallet, token, amount: BigInt(amount) }));
}

/** Wallet, token and amount of each. */
function amountRows(text: string): readonly (readonly [string, string, string])[] {
  return JSON.parse(text);
}
