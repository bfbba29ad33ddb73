const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** The longest signature that the contract allows, in bytes. */
const MAX_BYTES = 8192;
/** Base58 is read for signatures of 64 bytes only, as its cost grows with the square of the length. */
const MAX_BASE58_CHARACTERS = 90;

/** Reads a pasted signature: hexadecimal with `0x`, or base58. @returns undefined for other text */
export function signatureBytes(entered: string): Uint8Array<ArrayBuffer> | undefined {
  const text = entered.replaceAll(/\s+/g, "");
  if (/^0x(?:[0-9a-f]{2})+$/i.test(text) && text.length <= 2 + 2 * MAX_BYTES) {
    return new Uint8Array(Buffer.from(text.slice(2), "hex"));
  }
  if (text === "" || text.length > MAX_BASE58_CHARACTERS) return undefined;
  return base58Bytes(text);
}

function base58Bytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit === -1) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  const hex = value === 0n ? "" : value.toString(16);
  return new Uint8Array(Buffer.from("00".repeat(zeros) + (hex.length % 2 === 0 ? hex : `0${hex}`), "hex"));
}
