import { Buffer } from "node:buffer";
import { ed25519 } from "@noble/curves/ed25519";
import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { hexOfBytes } from "../platform/encoding/hex.ts";
import type { Wallet } from "./wallet.ts";

/** r, s and v. */
const EVM_SIGNATURE_BYTES = 65;
const SVM_SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 20;
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

/** Whether the wallet's own key has signed a text. Signatures that others could derive from one (high s) don't count. */
export function isSignedByKey({ kind, bytes }: Wallet, text: string, signature: Uint8Array): boolean {
  if (kind === "svm") return isSignedByEd25519(bytes, text, signature);
  const address = recoveredAddress(personalDigest(text), signature);
  return address !== undefined && Buffer.from(bytes).equals(address);
}

/** Whether a signature is wrapped for a smart account that isn't deployed yet (ERC-6492). */
export function isForUndeployed(signature: Uint8Array): boolean {
  return hexOfBytes(signature).endsWith(ERC_6492_SUFFIX);
}

/** Strictly by FIPS 186-5, so that keys of small order, for which anybody can sign, are refused. */
function isSignedByEd25519(publicKey: Uint8Array, text: string, signature: Uint8Array): boolean {
  if (signature.length !== SVM_SIGNATURE_BYTES) return false;
  try {
    return ed25519.verify(signature, Buffer.from(text, "utf8"), publicKey, { zip215: false });
  } catch {
    return false;
  }
}

/** The address of the key that has signed a digest. Undefined for a signature that no key can have given, or with a high s. */
function recoveredAddress(digest: Uint8Array, signature: Uint8Array): Uint8Array | undefined {
  if (signature.length !== EVM_SIGNATURE_BYTES) return undefined;
  const v = signature[EVM_SIGNATURE_BYTES - 1] ?? 0;
  try {
    const parsed = secp256k1.Signature.fromCompact(signature.subarray(0, EVM_SIGNATURE_BYTES - 1));
    if (parsed.hasHighS()) return undefined;
    const key = parsed.addRecoveryBit(parityOf(v)).recoverPublicKey(digest).toRawBytes(false);
    return keccak_256(key.subarray(1)).subarray(-ADDRESS_BYTES);
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
