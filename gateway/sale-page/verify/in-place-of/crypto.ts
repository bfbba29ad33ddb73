import { Buffer } from "node:buffer";
import { sha256 } from "@noble/hashes/sha2.js";

/** Returns a SHA-256 hash, as `hash` of `node:crypto`. @throws RangeError for another algorithm */
export function hash(algorithm: string, data: Uint8Array | string, encoding: "hex" | "buffer" = "hex") {
  if (algorithm !== "sha256") throw new RangeError(`no ${algorithm} in browsers`);
  const bytes = Buffer.from(sha256(typeof data === "string" ? new TextEncoder().encode(data) : data));
  return encoding === "buffer" ? bytes : bytes.toString(encoding);
}

/** Returns a random integer from 0 to, but not including, 2^32 at most, as `randomInt` of `node:crypto`. */
export function randomInt(end: number): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
  return Math.floor((word / 2 ** 32) * end);
}

export function randomUUID(): string {
  return crypto.randomUUID();
}
