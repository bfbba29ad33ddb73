import { Buffer } from "node:buffer";
import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { hexOfBytes } from "../../platform/encoding/hex.ts";
import { evmAddressOf } from "./evm-address.ts";

/** r, s and v. */
const SIGNATURE_BYTES = 65;
/** v is 27 or 28; some wallets say 0 or 1. */
const V_OFFSET = 27;
/** The end of a signature of an account that isn't deployed yet. */
const ERC_6492_SUFFIX = "6492".repeat(16);

/** Returns the hash of a text that EVM wallets sign (EIP-191, `personal_sign`): 32 bytes. */
export function personalDigest(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(text, "utf8");
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`, "utf8");
  return new Uint8Array(keccak_256(Buffer.concat([prefix, bytes])));
}

/** Whether the key of an address has signed a text. A signature with a high s, which others can derive, doesn't count. */
export function isPersonalSignature(address: Uint8Array, text: string, signature: Uint8Array): boolean {
  const signer = signature.length === SIGNATURE_BYTES ? recoveredAddress(personalDigest(text), signature) : undefined;
  return signer !== undefined && Buffer.from(address).equals(signer);
}

/**
 * Whether the key of an address has signed a digest, in the form that contracts accept: v is 27 or 28, and s is low, as contracts refuse
 * the second form that each signature has.
 */
export function isContractSignature(address: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
  const v = signature[SIGNATURE_BYTES - 1] ?? 0;
  if (signature.length !== SIGNATURE_BYTES || v < V_OFFSET) return false;
  const signer = recoveredAddress(digest, signature);
  return signer !== undefined && Buffer.from(address).equals(signer);
}

/** Whether a signature is wrapped for a smart account that isn't deployed yet (ERC-6492). */
export function isForUndeployed(signature: Uint8Array): boolean {
  return hexOfBytes(signature).endsWith(ERC_6492_SUFFIX);
}

/** Returns the address of the key that has signed a digest. Undefined for a signature that no key can have given, or with a high s. */
function recoveredAddress(digest: Uint8Array, signature: Uint8Array): Uint8Array | undefined {
  const v = signature[SIGNATURE_BYTES - 1] ?? 0;
  try {
    const parsed = secp256k1.Signature.fromCompact(signature.subarray(0, SIGNATURE_BYTES - 1));
    if (parsed.hasHighS()) return undefined;
    return evmAddressOf(parsed.addRecoveryBit(parityOf(v)).recoverPublicKey(digest).toRawBytes(false));
  } catch {
    return undefined;
  }
}

/** @throws RangeError for another v than 0, 1, 27 and 28 */
function parityOf(v: number): 0 | 1 {
  const parity = v >= V_OFFSET ? v - V_OFFSET : v;
  if (parity === 0 || parity === 1) return parity;
  throw new RangeError(`v is ${v}`);
}
