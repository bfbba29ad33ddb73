import { Buffer } from "node:buffer";
import { hexOfBytes } from "../../platform/encoding/hex.ts";
import { keccak256 } from "../base/keccak.ts";
import { checksummedEvmAddress } from "./evm-address.ts";

/** A transaction for a Safe. */
export interface SafeTransaction {
  /** EIP-155. */
  readonly chainId: bigint;
  readonly name: string;
  /** An address in any case. */
  readonly to: string;
  /** `0x` and hex. */
  readonly data: string;
}

type Json = string | number | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * Returns a file for the transaction builder of a Safe: one transaction that sends no money, with its calldata as it is, so that the
 * builder encodes nothing. Its time is 0, so that the same call makes the same file. The builder warns of a file without the right
 * checksum. Which Safe is to sign isn't known here, and the builder doesn't want it.
 */
export function safeBatch({ chainId, name, to, data }: SafeTransaction): string {
  const address = checksummedEvmAddress(Buffer.from(to.slice(2), "hex"));
  const meta = { name, description: "" };
  const file = {
    version: "1.0",
    chainId: `${chainId}`,
    createdAt: 0,
    transactions: [{ to: address, value: "0", data, contractMethod: null, contractInputsValues: null }],
  };
  return JSON.stringify({ ...file, meta: { ...meta, checksum: safeChecksum({ ...file, meta }) } });
}

/** Returns the checksum of a file by the builder's rule: the Keccak-256 hash of a text that doesn't depend on the order of members. */
export function safeChecksum(file: Json): string {
  return `0x${hexOfBytes(keccak256(Buffer.from(hashedText(file), "utf8")))}`;
}

/** Returns an object as the list of its names in order, and its values, each with a comma behind it; other values as JSON. */
function hashedText(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(hashedText).join(",")}]`;
  const names = Object.keys(value).sort();
  return `{${JSON.stringify(names)}${names.map((name) => `${hashedText(value[name] ?? null)},`).join("")}}`;
}

// `Array.isArray` knows no read-only arrays.
function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
