import { Buffer } from "node:buffer";

/** Lower-case hex of bytes, which may be a view into a larger buffer. */
export function hexOfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Bytes for a message: their own copy, not a view into Node's buffer pool. */
export function messageBytes(hex: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

/** A UUID, ID or digest as its bytes; hyphens are ignored. For SQL: mysql2 escapes a `Buffer`, not a `Uint8Array`. */
export function bytesOfHex(hex: string): Buffer {
  return Buffer.from(hex.replaceAll("-", ""), "hex");
}
