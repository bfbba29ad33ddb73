import { createPublicKey, verify } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import type { WalletKindName } from "../../services/entities/base/wallet-tables.ts";
import { evmPermitDigest } from "./evm/evm-permit.ts";

const EVM_SIGNATURE_BYTES = 65;
const SVM_SIGNATURE_BYTES = 64;
/** `v` of a signature: this number and the recovery bit. */
const V_BASE = 27;
const ADDRESS_BYTES = 20;

/**
 * Whether a signature is one of a key over an encoded permit, in the form that contracts accept.
 *
 * @param address the EVM address or SVM public key
 */
export function isPermitSignature(
  kind: WalletKindName,
  address: Uint8Array,
  encoded: Uint8Array,
  signature: Uint8Array,
): boolean {
  return kind === "evm" ? isEvmSignature(address, encoded, signature) : isSvmSignature(address, encoded, signature);
}

/** Returns the EVM address of an uncompressed public key: 65 bytes. */
export function evmAddressOf(publicKey: Uint8Array): Uint8Array {
  return keccak_256(publicKey.subarray(1)).slice(-ADDRESS_BYTES);
}

function isEvmSignature(address: Uint8Array, encoded: Uint8Array, signature: Uint8Array): boolean {
  const recovery = (signature[EVM_SIGNATURE_BYTES - 1] ?? 0) - V_BASE;
  if (signature.length !== EVM_SIGNATURE_BYTES || (recovery !== 0 && recovery !== 1)) return false;
  try {
    const parsed = secp256k1.Signature.fromCompact(signature.subarray(0, -1)).addRecoveryBit(recovery);
    // Contracts refuse the second form that each signature has.
    if (parsed.hasHighS()) return false;
    const publicKey = parsed.recoverPublicKey(evmPermitDigest(encoded)).toRawBytes(false);
    return Buffer.from(address).equals(evmAddressOf(publicKey));
  } catch {
    return false;
  }
}

function isSvmSignature(address: Uint8Array, encoded: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SVM_SIGNATURE_BYTES) return false;
  const x = Buffer.from(address).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, encoded, key, signature);
}
