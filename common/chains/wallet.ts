import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import type { WalletKindName } from "../../services/entities/base/wallet-tables.ts";
import { hexOfBytes } from "../platform/encoding/hex.ts";
import { invalidArgument } from "../platform/errors/service-error.ts";
import { keccak256 } from "./base/keccak.ts";

/** A wallet of a kind of chain: 20 bytes of an EVM address, or 32 of an SVM public key. */
export interface Wallet {
  readonly kind: WalletKindName;
  readonly bytes: Uint8Array;
}

/** Why a text is no address of a wallet. */
export interface WalletProblem {
  /** Short stable name of the rule: `wallet.form` or `wallet.checksum`. */
  readonly rule: string;
  /** For people. */
  readonly message: string;
}

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const SVM_BYTES = 32;
/** The length of the longest base58 text of 32 bytes. */
const SVM_MAX_CHARACTERS = 44;
/** A hexadecimal digit of the hash from which on EIP-55 wants a capital letter. */
const CAPITAL_FROM = 8;

const FORM: Readonly<Record<WalletKindName, string>> = {
  evm: "must be an EVM address: 0x and 40 hexadecimal digits",
  svm: "must be an SVM address: base58 of 32 bytes",
};

/** Reads an address. An EVM address in mixed case must carry the right EIP-55 checksum. */
export function readWallet(kind: WalletKindName, text: string): Wallet | WalletProblem {
  const bytes = kind === "evm" ? evmBytes(text) : svmBytes(text);
  if (bytes === undefined) return { rule: "wallet.form", message: FORM[kind] };
  if (kind === "evm" && isMixedCase(text) && checksummed(bytes) !== text) {
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
export function parseWallet(kind: WalletKindName, text: string, field: string): Wallet {
  const read = readWallet(kind, text);
  if (isWallet(read)) return read;
  throw invalidArgument([{ field, ...read }]);
}

/** Returns an EVM address with its EIP-55 checksum, an SVM address as base58. */
export function formatWallet({ kind, bytes }: Wallet): string {
  return kind === "evm" ? checksummed(bytes) : base58.encode(bytes);
}

/** Returns a text that two wallets share only if they are the same. */
export function walletKey({ kind, bytes }: Wallet): string {
  return `${kind} ${hexOfBytes(bytes)}`;
}

/** The wallet of a row, from its columns. */
export function walletOfRow({ kind, wallet }: { readonly kind: WalletKindName; readonly wallet: Uint8Array }): Wallet {
  return { kind, bytes: new Uint8Array(wallet) };
}

/** The column `wallet`. mysql2 escapes a `Buffer`, not a `Uint8Array`. */
export function walletColumn({ bytes }: Wallet): Buffer {
  return Buffer.from(bytes);
}

function evmBytes(text: string): Uint8Array | undefined {
  return EVM_ADDRESS.test(text) ? new Uint8Array(Buffer.from(text.slice(2), "hex")) : undefined;
}

function svmBytes(text: string): Uint8Array | undefined {
  if (text.length > SVM_MAX_CHARACTERS) return undefined;
  try {
    const bytes = base58.decode(text);
    return bytes.length === SVM_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function isMixedCase(address: string): boolean {
  const digits = address.slice(2);
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
}

/** The address in the case that EIP-55 defines by the hash of its digits. */
function checksummed(bytes: Uint8Array): string {
  const digits = hexOfBytes(bytes);
  const hash = hexOfBytes(keccak256(Buffer.from(digits, "ascii")));
  const cased = Array.from(digits, (digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= CAPITAL_FROM ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}
