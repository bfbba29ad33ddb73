import { Buffer } from "node:buffer";
import { keccak_256 } from "@noble/hashes/sha3";
import { hexOfBytes } from "../../platform/encoding/hex.ts";
import { ADDRESS_FORMS } from "../base/address-form.ts";
import { keccak256 } from "../base/keccak.ts";

const ADDRESS_BYTES = 20;
/** A hexadecimal digit of the hash from which on EIP-55 wants a capital letter. */
const CAPITAL_FROM = 8;

/** The address of nobody. Where contracts name a token, it stands for the chain's own coin. */
export const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

/** Whether a text is `0x` and 40 hex digits in any case. Doesn't check the checksum. */
export function isEvmAddress(text: string): boolean {
  return ADDRESS_FORMS.evm.test(text);
}

/** Returns the bytes of an address, undefined for other text. Doesn't check the checksum. */
export function evmAddressBytes(text: string): Uint8Array | undefined {
  return isEvmAddress(text) ? new Uint8Array(Buffer.from(text.slice(2), "hex")) : undefined;
}

/** Returns the address in the case that EIP-55 defines by the hash of its digits. */
export function checksummedEvmAddress(bytes: Uint8Array): string {
  const digits = hexOfBytes(bytes);
  const hash = hexOfBytes(keccak256(Buffer.from(digits, "ascii")));
  const cased = Array.from(digits, (digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= CAPITAL_FROM ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}

/** Whether an address of valid form has no checksum (its letters are of one case) or the right one (EIP-55). */
export function hasRightEvmChecksum(address: string): boolean {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return checksummedEvmAddress(Buffer.from(digits, "hex")) === address;
}

/** Returns the address of an uncompressed public key: 65 bytes. */
export function evmAddressOf(publicKey: Uint8Array): Uint8Array {
  return keccak_256(publicKey.subarray(1)).slice(-ADDRESS_BYTES);
}
