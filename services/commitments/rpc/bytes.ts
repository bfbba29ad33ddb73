import { hexOfBytes } from "../store/encoding.ts";

export { hexOfBytes };

/** Bytes for a message: a copy of their own, not a view into Node's buffer pool. */
export function messageBytes(hex: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

/** A generation (16 hex digits) as its `fixed64`, and back. */
export function generationNumber(generation: string): bigint {
  return BigInt(`0x${generation}`);
}

export function generationText(generation: bigint): string {
  return generation.toString(16).padStart(16, "0");
}
