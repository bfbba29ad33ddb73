import { base58 } from "@scure/base";

export type AddressKind = "evm" | "svm";

/** Description of a valid address of either kind, for error messages. */
export const anyAddressForm = "must be 0x and 40 hexadecimal digits, or on Solana 32 bytes in base58";

/** Descriptions of a valid address of each kind, for error messages. */
export const addressForm: Readonly<Record<AddressKind, string>> = {
  evm: "must be an EVM address: 0x and 40 hexadecimal digits",
  svm: "must be an SVM address: base58 of 32 bytes",
};

const evmPattern = /^0x[0-9a-fA-F]{40}$/;
const SVM_BYTES = 32;
/** Bounds of the base58 text of 32 bytes: all zero bytes, all 0xff. */
const SVM_MIN_CHARACTERS = 32;
const SVM_MAX_CHARACTERS = 44;

/** Returns the lower-case form of `0x` and 40 hex digits in any case; undefined for other text. Doesn't check checksums. */
export function parseEvmAddress(text: string): string | undefined {
  return evmPattern.test(text) ? text.toLowerCase() : undefined;
}

/** Returns the text itself if it is base58 of exactly 32 bytes, which no other text encodes; else undefined. */
export function parseSvmAddress(text: string): string | undefined {
  if (text.length < SVM_MIN_CHARACTERS || text.length > SVM_MAX_CHARACTERS) return undefined;
  try {
    return base58.decode(text).length === SVM_BYTES ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the canonical form of an address of the given kind; undefined for other text. */
export function parseAddress(kind: AddressKind, text: string): string | undefined {
  return kind === "evm" ? parseEvmAddress(text) : parseSvmAddress(text);
}

/** Returns the kind of chain that an address belongs to; undefined for text that isn't an address. */
export function addressKind(text: string): AddressKind | undefined {
  if (parseEvmAddress(text) !== undefined) return "evm";
  return parseSvmAddress(text) === undefined ? undefined : "svm";
}
