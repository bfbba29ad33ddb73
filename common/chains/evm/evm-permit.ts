import { keccak256 } from "../base/keccak.ts";
import { checkPermit, EVM_PERMIT_FORMAT, type Permit } from "../base/permit.ts";
import { isContractSignature } from "./personal-signature.ts";

const WORD_BYTES = 32;
/** Where the tuple begins: `abi.encode` of a struct with a dynamic field starts with this offset. */
const TUPLE_OFFSET = 0x20n;
/** Where the payload begins within the tuple, after its 11 words. */
const PAYLOAD_OFFSET = 0x160n;
const EIP191_PREFIX = "\x19Ethereum Signed Message:\n";

/**
 * Encodes a permit as `abi.encode` does in a contract: 13 words and the payload, padded to whole words.
 *
 * @throws RangeError for a field that doesn't fit
 */
export function encodeEvmPermit(permit: Permit): Uint8Array {
  checkPermit(permit, EVM_PERMIT_FORMAT);
  return Buffer.concat([
    numberWord(TUPLE_OFFSET),
    bytesWord(permit.saleSpecificId),
    bytesWord(permit.saleUuid),
    addressWord(permit.wallet),
    numberWord(permit.expiresAt),
    numberWord(permit.minAmount),
    numberWord(permit.maxAmount),
    numberWord(permit.minPrice),
    numberWord(permit.maxPrice),
    numberWord(permit.opensAt),
    numberWord(permit.closesAt),
    numberWord(PAYLOAD_OFFSET),
    numberWord(BigInt(permit.payload.length)),
    permit.payload,
    Buffer.alloc(-permit.payload.length & (WORD_BYTES - 1)),
  ]);
}

/** Returns the 32 bytes that are signed for an encoded permit: EIP-191 (`personal_sign`) over the raw encoding. */
export function evmPermitDigest(encoded: Uint8Array): Uint8Array {
  return keccak256(Buffer.concat([Buffer.from(`${EIP191_PREFIX}${encoded.length}`), encoded]));
}

/** Whether the key of an address has signed an encoded permit, in the form that contracts accept. */
export function isEvmPermitSignature(address: Uint8Array, encoded: Uint8Array, signature: Uint8Array): boolean {
  return isContractSignature(address, evmPermitDigest(encoded), signature);
}

/** `bytes16`: at the left of its word. */
function bytesWord(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes], WORD_BYTES);
}

function addressWord(address: Uint8Array): Buffer {
  return Buffer.concat([Buffer.alloc(WORD_BYTES - address.length), address]);
}

function numberWord(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * WORD_BYTES, "0"), "hex");
}
