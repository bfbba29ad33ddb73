import { base58 } from "@scure/base";
import { CHAIN_FAMILIES, type ChainFamily } from "./base/chain-family.ts";
import { checksummedEvmAddress, evmAddressBytes, hasRightEvmChecksum, isEvmAddress } from "./evm/evm-address.ts";
import { isSvmAddress, svmAddressBytes } from "./svm/svm-address.ts";

/** The addresses of a family of chains. */
export interface AddressFormat {
  /** Description of a valid address, for error messages. */
  readonly form: string;
  readonly byteLength: number;
  /** Returns the form that is stored and compared; undefined for text that isn't an address. Doesn't check checksums. */
  canonical(text: string): string | undefined;
  /** Returns the bytes; undefined for text that isn't an address. Doesn't check checksums. */
  bytesOf(text: string): Uint8Array | undefined;
  /** Returns the form that people read, with a checksum where the family has one. */
  textOf(bytes: Uint8Array): string;
  /** Whether an address of valid form has the right checksum or none. */
  hasRightChecksum(text: string): boolean;
}

/** The addresses of each family of chains. */
export const ADDRESSES: Readonly<Record<ChainFamily, AddressFormat>> = {
  evm: {
    form: "must be an EVM address: 0x and 40 hexadecimal digits",
    byteLength: 20,
    canonical: (text) => (isEvmAddress(text) ? text.toLowerCase() : undefined),
    bytesOf: evmAddressBytes,
    textOf: checksummedEvmAddress,
    hasRightChecksum: hasRightEvmChecksum,
  },
  svm: {
    form: "must be an SVM address: base58 of 32 bytes",
    byteLength: 32,
    // No other text encodes the same bytes.
    canonical: (text) => (isSvmAddress(text) ? text : undefined),
    bytesOf: svmAddressBytes,
    textOf: base58.encode,
    hasRightChecksum: () => true,
  },
};

/** Description of a valid address of any family, for error messages. */
export const anyAddressForm = "must be 0x and 40 hexadecimal digits, or on Solana 32 bytes in base58";

/** Returns the form of an address of any family that is stored and compared; undefined for text that isn't an address. */
export function canonicalAddress(text: string): string | undefined {
  const family = addressFamily(text);
  return family && ADDRESSES[family].canonical(text);
}

/** Returns the family of chains that a text is meant for, even where it isn't an address: its rule is the one to name then. */
export function presumedFamily(text: string): ChainFamily {
  return text.startsWith("0x") ? "evm" : "svm";
}

/** Returns the family of chains that an address belongs to; undefined for text that isn't an address. */
export function addressFamily(text: string): ChainFamily | undefined {
  return CHAIN_FAMILIES.find((family) => ADDRESSES[family].canonical(text) !== undefined);
}
