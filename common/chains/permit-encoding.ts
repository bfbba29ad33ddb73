import type { ChainFamily } from "./base/chain-family.ts";
import { EVM_PERMIT_FORMAT, type Permit, type PermitFormat, SVM_PERMIT_FORMAT } from "./base/permit.ts";
import { encodeEvmPermit, isEvmPermitSignature } from "./evm/evm-permit.ts";
import { isBytesSignature } from "./svm/ed25519-signature.ts";
import { encodeSvmPermit } from "./svm/svm-permit.ts";

/** The purchase permits of a family of chains. */
interface PermitEncoding {
  readonly format: PermitFormat;
  /** Returns the bytes that the contracts read. @throws RangeError for a field that doesn't fit */
  encode(permit: Permit): Uint8Array;
  /** Whether a signature is one of a key over an encoded permit, in the form that contracts accept. */
  isSignature(address: Uint8Array, encoded: Uint8Array, signature: Uint8Array): boolean;
}

const ENCODINGS: Readonly<Record<ChainFamily, PermitEncoding>> = {
  evm: { format: EVM_PERMIT_FORMAT, encode: encodeEvmPermit, isSignature: isEvmPermitSignature },
  svm: { format: SVM_PERMIT_FORMAT, encode: encodeSvmPermit, isSignature: isBytesSignature },
};

/** Returns the sizes of a family's permits. */
export function permitFormat(family: ChainFamily): PermitFormat {
  return ENCODINGS[family].format;
}

/** Encodes a permit as the contracts of a family of chains read it. @throws RangeError for a field that doesn't fit */
export function encodePermit(family: ChainFamily, permit: Permit): Uint8Array {
  return ENCODINGS[family].encode(permit);
}

/**
 * Whether a signature is one of a key over an encoded permit, in the form that contracts accept.
 *
 * @param address the EVM address or SVM public key
 */
export function isPermitSignature(
  family: ChainFamily,
  address: Uint8Array,
  encoded: Uint8Array,
  signature: Uint8Array,
): boolean {
  return ENCODINGS[family].isSignature(address, encoded, signature);
}
