import type { WalletTokenAmount } from "../../../common/sale/record/commitment.ts";
import type { Int64 } from "./schema.ts";

/** Encodes a uint64 as 8 big-endian bytes: SQLite can't bind 2^64-1, and the bytes sort like the numbers. */
export function bytesOfTick(tick: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(tick);
  return bytes;
}

export function tickOfBytes(bytes: Uint8Array): bigint {
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
