import { Buffer } from "node:buffer";
import { hexOfBytes } from "../platform/encoding/hex.ts";
import { invalidArgument } from "../platform/errors/service-error.ts";
import { ADDRESSES } from "./addresses.ts";
import { CHAIN_FAMILIES, type ChainFamily } from "./base/chain-family.ts";

/** A wallet of a family of chains: 20 bytes of an EVM address, or 32 of an SVM public key. */
export interface Wallet {
  readonly kind: ChainFamily;
  readonly bytes: Uint8Array;
}

/** Why a text is no address of a wallet. */
export interface WalletProblem {
  /** Short stable name of the rule: `wallet.form` or `wallet.checksum`. */
  readonly rule: string;
  /** The problem in words, for people. */
  readonly message: string;
}

/** Reads an address. An EVM address in mixed case must carry the right EIP-55 checksum. */
export function readWallet(kind: ChainFamily, text: string): Wallet | WalletProblem {
  const format = ADDRESSES[kind];
  const bytes = format.bytesOf(text);
  if (bytes === undefined) return { rule: "wallet.form", message: format.form };
  if (!format.hasRightChecksum(text)) {
    return { rule: "wallet.checksum", message: "must carry a right EIP-55 checksum, or be all lower case" };
  }
  return { kind, bytes };
}

export function isWallet(read: Wallet | WalletProblem): read is Wallet {
  return "bytes" in read;
}

/**
 * `readWallet` for a field of a request.
 *
 * @param field its path, such as `wallet`
 * @throws ServiceError `invalid_argument`
 */
export function parseWallet(kind: ChainFamily, text: string, field: string): Wallet {
  const read = readWallet(kind, text);
  if (isWallet(read)) return read;
  throw invalidArgument([{ field, ...read }]);
}

/** Returns an EVM address with its EIP-55 checksum, an SVM address as base58. */
export function formatWallet({ kind, bytes }: Wallet): string {
  return ADDRESSES[kind].textOf(bytes);
}

/** Returns a text that two wallets share only if they are the same. */
export function walletKey({ kind, bytes }: Wallet): string {
  return `${kind} ${hexOfBytes(bytes)}`;
}

/** The wallet of a row, from its columns. */
export function walletOfRow({ kind, wallet }: { readonly kind: ChainFamily; readonly wallet: Uint8Array }): Wallet {
  return { kind, bytes: new Uint8Array(wallet) };
}

/** Returns the wallet of an address whose length tells its family. @throws RangeError for another length */
export function walletOfBytes(bytes: Uint8Array): Wallet {
  const kind = CHAIN_FAMILIES.find((family) => ADDRESSES[family].byteLength === bytes.length);
  if (kind === undefined) throw new RangeError(`no family of chains has addresses of ${bytes.length} bytes`);
  return { kind, bytes };
}

/** The column `wallet`. mysql2 escapes a `Buffer`, not a `Uint8Array`. */
export function walletColumn({ bytes }: Wallet): Buffer {
  return Buffer.from(bytes);
}
