import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519";
import { base58 } from "@scure/base";

const MARKER = new TextEncoder().encode("ProgramDerivedAddress");
const LARGEST_BUMP = 255;

/**
 * Address of an account that a program derives from seeds: the first hash, counted down from the largest bump, that is no key of
 * ed25519, so that nobody can sign for it.
 *
 * @param program base58 of 32 bytes.
 * @returns base58; undefined if no bump gives one.
 */
export function derivedAddress(program: string, seeds: readonly Uint8Array[]): string | undefined {
  const programKey = base58.decode(program);
  for (let bump = LARGEST_BUMP; bump >= 0; bump -= 1) {
    const bytes = Buffer.concat([...seeds, Uint8Array.of(bump), programKey, MARKER]);
    const candidate = hash("sha256", bytes, "buffer");
    if (!isKey(candidate)) return base58.encode(candidate);
  }
  return undefined;
}

/** Whether bytes are a point of the curve. */
function isKey(bytes: Uint8Array): boolean {
  try {
    ed25519.ExtendedPoint.fromHex(bytes);
    return true;
  } catch {
    return false;
  }
}
