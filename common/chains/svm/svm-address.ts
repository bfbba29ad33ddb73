import { base58 } from "@scure/base";

const ADDRESS_BYTES = 32;
/** Bounds of the base58 text of 32 bytes: all zero bytes, all 0xff. */
const MIN_CHARACTERS = 32;
const MAX_CHARACTERS = 44;

/** Returns the bytes of an address: base58 of exactly 32, which no other text encodes. Undefined for other text. */
export function svmAddressBytes(text: string): Uint8Array | undefined {
  if (text.length < MIN_CHARACTERS || text.length > MAX_CHARACTERS) return undefined;
  try {
    const bytes = base58.decode(text);
    return bytes.length === ADDRESS_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text is the base58 of 32 bytes. */
export function isSvmAddress(text: string): boolean {
  return svmAddressBytes(text) !== undefined;
}
