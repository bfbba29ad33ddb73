import { Buffer } from "node:buffer";
import { SourceFault } from "../source/source-reader.ts";
import { AccountLayoutError } from "./account-layout.ts";

/** An account as a node listed it. */
export interface ListedAccount {
  /** Base58. */
  readonly address: string;
  readonly data: Uint8Array;
}

const addressPattern = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/*
 * The types of the RPC library say what a node should answer. Nodes, caches and proxies answer otherwise now and then,
 * so the answers are taken as unknown here and every part that is used is looked at.
 */

/** @throws SourceFault where the answer has no context with a slot. */
export function contextSlot(answer: unknown): bigint {
  const slot = field(field(answer, "context"), "slot");
  if (typeof slot !== "bigint" || slot < 0n || slot > Number.MAX_SAFE_INTEGER) throw unusableAnswer("it names no slot");
  return slot;
}

/**
 * The accounts of a `getMultipleAccounts`, nothing where there is none.
 *
 * @throws SourceFault where it isn't a list of that length.
 */
export function accountList(answer: unknown, length: number, program: string): readonly (Uint8Array | undefined)[] {
  const value = field(answer, "value");
  if (!Array.isArray(value) || value.length !== length) throw unusableAnswer(`it lists other than ${length} accounts`);
  return value.map((account: unknown) => (account === null ? undefined : accountData(account, program)));
}

/**
 * The accounts of a `getProgramAccounts`.
 *
 * @throws SourceFault
 */
export function programAccounts(answer: unknown, program: string): readonly ListedAccount[] {
  const value = field(answer, "value");
  if (!Array.isArray(value)) throw unusableAnswer("it lists no accounts");
  return value.map((listed: unknown) => {
    const address = field(listed, "pubkey");
    if (typeof address !== "string" || !addressPattern.test(address)) throw unusableAnswer("an account has no address");
    return { address, data: accountData(field(listed, "account"), program) };
  });
}

/** What is wrong with the bytes of an account becomes a fault that names its address. */
export function decodeAccount<Value>(address: string, decode: () => Value): Value {
  try {
    return decode();
  } catch (error) {
    if (error instanceof AccountLayoutError) throw unusableAnswer(`account ${address}: ${error.message}`);
    throw error;
  }
}

/** A fault of a node's answer, which another try may not have. */
export function unusableAnswer(detail: string): SourceFault {
  return new SourceFault(`the node's answer can't be used: ${detail}`, { remedy: "wait" });
}

function accountData(account: unknown, program: string): Uint8Array {
  if (field(account, "owner") !== program) throw unusableAnswer(`an account doesn't belong to program ${program}`);
  const data = field(account, "data");
  const [text, encoding]: unknown[] = Array.isArray(data) ? data : [];
  if (typeof text !== "string" || encoding !== "base64") throw unusableAnswer("an account has no base64 data");
  const bytes = Buffer.from(text, "base64");
  // The decoder skips what isn't base64: then there are fewer bytes than the text is long.
  if (text.length !== 4 * Math.ceil(bytes.length / 3)) throw unusableAnswer("an account's base64 data is cut short");
  return bytes;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
