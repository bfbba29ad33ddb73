import { Buffer } from "node:buffer";
import { ADDRESS_FORMS } from "../base/address-form.ts";
import { SourceFault } from "../base/source-fault.ts";

/** An account in a node's list. */
export interface ListedAccount {
  /** Base58. */
  readonly address: string;
  readonly data: Uint8Array;
}

/** Thrown if the bytes aren't an account of the expected kind, or too few. */
export class AccountLayoutError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AccountLayoutError";
  }
}

/*
 * The types of the RPC library describe what nodes should answer. Nodes, caches and proxies sometimes answer something
 * else, so answers are of type `unknown` here, and every part that is used is checked.
 */

/** The slot of an answer. @throws SourceFault if the answer has no context with a slot. */
export function contextSlot(answer: unknown): bigint {
  const slot = field(field(answer, "context"), "slot");
  if (typeof slot !== "bigint" || slot < 0n || slot > Number.MAX_SAFE_INTEGER) throw unusableAnswer("it names no slot");
  return slot;
}

/**
 * The data of the accounts in an answer to `getMultipleAccounts`; undefined for an account that doesn't exist.
 *
 * @throws SourceFault if it isn't a list of that length.
 */
export function accountList(answer: unknown, length: number, program: string): readonly (Uint8Array | undefined)[] {
  return listedAccounts(answer, length).map((account) => accountBytes(account, program));
}

/** The accounts in an answer to `getMultipleAccounts`. @throws SourceFault if it isn't a list of that length. */
export function listedAccounts(answer: unknown, length: number): readonly unknown[] {
  const value = field(answer, "value");
  if (!Array.isArray(value) || value.length !== length) throw unusableAnswer(`it doesn't list ${length} accounts`);
  return value;
}

/**
 * The data of an account of `listedAccounts`; undefined for one that doesn't exist.
 *
 * @param owner the program that the account must belong to.
 * @throws SourceFault
 */
export function accountBytes(account: unknown, owner: string): Uint8Array | undefined {
  return account === null ? undefined : accountData(account, owner);
}

/**
 * The accounts in an answer to `getProgramAccounts`.
 *
 * @throws SourceFault
 */
export function programAccounts(answer: unknown, program: string): readonly ListedAccount[] {
  const value = field(answer, "value");
  if (!Array.isArray(value)) throw unusableAnswer("it lists no accounts");
  return value.map((listed: unknown) => {
    const address = field(listed, "pubkey");
    if (typeof address !== "string" || !ADDRESS_FORMS.svm.test(address))
      throw unusableAnswer("an account has no address");
    return { address, data: accountData(field(listed, "account"), program) };
  });
}

/** Decodes an account. @throws SourceFault that names its address, if its bytes are wrong. */
export function decodeAccount<Value>(address: string, decode: () => Value): Value {
  try {
    return decode();
  } catch (error) {
    if (error instanceof AccountLayoutError) throw unusableAnswer(`account ${address}: ${error.message}`);
    throw error;
  }
}

/** A fault of a node's answer. Another attempt may not have it. */
export function unusableAnswer(detail: string): SourceFault {
  return new SourceFault(`the node's answer can't be used: ${detail}`, { remedy: "wait" });
}

/** An account with the program that it belongs to. */
export interface OwnedAccount {
  /** Base58. */
  readonly owner: string;
  readonly data: Uint8Array;
}

/**
 * The accounts of any programs in an answer to `getMultipleAccounts`; undefined for one that doesn't exist.
 *
 * @throws SourceFault if it isn't a list of that length.
 */
export function ownedAccountList(answer: unknown, length: number): readonly (OwnedAccount | undefined)[] {
  return listedAccounts(answer, length).map((account) => {
    if (account === null) return undefined;
    const owner = field(account, "owner");
    if (typeof owner !== "string") throw unusableAnswer("an account has no owner");
    return { owner, data: bytesOf(account) };
  });
}

function accountData(account: unknown, program: string): Uint8Array {
  if (field(account, "owner") !== program) throw unusableAnswer(`an account doesn't belong to program ${program}`);
  return bytesOf(account);
}

function bytesOf(account: unknown): Uint8Array {
  const data = field(account, "data");
  const [text, encoding]: unknown[] = Array.isArray(data) ? data : [];
  if (typeof text !== "string" || encoding !== "base64") throw unusableAnswer("an account has no base64 data");
  const bytes = Buffer.from(text, "base64");
  // The decoder skips characters that aren't base64. Then there are too few bytes for the length of the text.
  if (text.length !== 4 * Math.ceil(bytes.length / 3)) throw unusableAnswer("an account's base64 data is cut short");
  return bytes;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
