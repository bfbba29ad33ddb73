import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ConfigError, type Env } from "../../config/env.ts";
import { type CallerTokenFile, checkCallerTokenFile } from "./caller-token-file.ts";

/** The keys of each caller by its name. A caller has several keys during a rotation. */
export type CallerKeys = ReadonlyMap<string, readonly Uint8Array[]>;

/** The name and key of a client that signs its own tokens. */
export interface CallerCredentials {
  /** 1 to 63 of `a-z`, `0-9` and `-`, beginning with a letter. */
  readonly name: string;
  /** 32 to 1,024 bytes. */
  readonly key: Uint8Array;
  /** The service that is called, such as `tidemark.commitments`. */
  readonly audience: string;
}

/** A client's means to prove its name. */
export type CallerProof = CallerCredentials | CallerTokenFile;

/** The pattern of callers' names. */
export const CALLER_NAME = /^[a-z][a-z0-9-]{0,62}$/;
const MIN_KEY_BYTES = 32;
const MAX_KEY_BYTES = 1_024;
const MAX_KEYS = 1_000;
const KEY_RULE = `${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes as base64url without padding`;

/** Generates a key of 32 bytes, and its text for the configuration. */
export function generateCallerKey(): { readonly key: Uint8Array; readonly text: string } {
  const key = randomBytes(MIN_KEY_BYTES);
  return { key, text: key.toString("base64url") };
}

/**
 * Reads `CALLER_KEYS`, the callers of this service as `name=key`, separated by commas or line breaks. A name may occur
 * several times. Undefined if it isn't set.
 *
 * @throws ConfigError, which never shows a key
 */
export function readCallerKeys(env: Env): CallerKeys | undefined {
  const text = env.optionalSecret("CALLER_KEYS");
  return text === undefined ? undefined : parseCallerKeys(text);
}

/**
 * Reads how this process proves its name to a service: `CALLER_NAME` and `CALLER_KEY`; or `CALLER_TOKEN_DIR`, a folder
 * with a token file for each service, named after its audience, which something else creates and renews.
 *
 * @throws ConfigError, which never shows the key
 */
export function readCallerProof(env: Env, audience: string): CallerProof {
  const folder = env.optionalString("CALLER_TOKEN_DIR");
  if (folder === undefined) return readCallerCredentials(env, audience);
  const stray = ["CALLER_NAME", "CALLER_KEY"].find((name) => env.optionalSecret(name) !== undefined);
  if (stray !== undefined) throw new ConfigError("CALLER_TOKEN_DIR", `expected either it or ${stray}, both are set`);
  const proof = { tokenFile: join(folder, audience) };
  checkCallerTokenFile("CALLER_TOKEN_DIR", proof);
  return proof;
}

/**
 * Reads `CALLER_NAME` and `CALLER_KEY`, with which this process signs its own tokens.
 *
 * @throws ConfigError, which never shows the key
 */
export function readCallerCredentials(env: Env, audience: string): CallerCredentials {
  const name = env.string("CALLER_NAME");
  if (!CALLER_NAME.test(name))
    throw new ConfigError("CALLER_NAME", "expected 1 to 63 of a-z, 0-9 and -, beginning with a letter");
  return { name, key: parseCallerKey("CALLER_KEY", env.secret("CALLER_KEY")), audience };
}

/** Parses a caller's key. @throws ConfigError that names the variable and never shows the key */
export function parseCallerKey(variable: string, text: string): Uint8Array {
  const key = parseKey(text);
  if (key === undefined) throw new ConfigError(variable, `expected ${KEY_RULE}`);
  return key;
}

function parseCallerKeys(text: string): CallerKeys {
  const entries = text
    .split(/[,\r\n]+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (entries.length > MAX_KEYS) throw new ConfigError("CALLER_KEYS", `expected at most ${MAX_KEYS} keys`);
  const keys = new Map<string, Uint8Array[]>();
  for (const [index, entry] of entries.entries()) {
    const { name, key } = parseEntry(entry, index + 1);
    keys.set(name, [...(keys.get(name) ?? []), key]);
  }
  return keys;
}

function parseEntry(entry: string, position: number): { name: string; key: Uint8Array } {
  const [name = "", keyText = ""] = entry.split("=", 2);
  const key = parseKey(keyText);
  if (CALLER_NAME.test(name) && key !== undefined && entry === `${name}=${keyText}`) return { name, key };
  throw new ConfigError("CALLER_KEYS", `expected name=key in entry ${position}, the key ${KEY_RULE}`);
}

function parseKey(text: string): Uint8Array | undefined {
  const key = Buffer.from(text, "base64url");
  const exact = key.toString("base64url") === text;
  return exact && key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES ? key : undefined;
}
