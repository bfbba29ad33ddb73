import { randomBytes, timingSafeEqual } from "node:crypto";
import { macOf } from "../base/derived-keys.ts";

/** Without vowels, which could make words, and without what looks like another letter or a digit (RFC 8628 section 6.1). */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const CODE_CHARACTERS = 8;
const GROUP_CHARACTERS = 4;
/** The largest multiple of the alphabet's size that a byte can be below: what is above would favour the first letters. */
const ACCEPTED_BYTES = 256 - (256 % ALPHABET.length);

/** How long a code is good for. */
export const CODE_LIFETIME_MS = 10n * 60_000n;
/** How often one may be tried: a guess is right once in 5 thousand million such codes. */
export const CODE_TRIES = 5;

/** A new code: 8 letters, each equally likely. @param random as `crypto.randomBytes`. */
export function newOneTimeCode(random: (bytes: number) => Uint8Array = randomBytes): string {
  let code = "";
  while (code.length < CODE_CHARACTERS) {
    for (const byte of random(CODE_CHARACTERS)) {
      if (byte < ACCEPTED_BYTES && code.length < CODE_CHARACTERS) code += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return code;
}

/** As people read it: `XXXX-XXXX`. */
export function formatOneTimeCode(code: string): string {
  return `${code.slice(0, GROUP_CHARACTERS)}-${code.slice(GROUP_CHARACTERS)}`;
}

/** What was typed or pasted, without what doesn't matter: case, white space, hyphens and dashes. */
export function normalizeOneTimeCode(entered: string): string {
  return entered.replaceAll(/[\s\p{Dash_Punctuation}\p{Format}]/gu, "").toUpperCase();
}

/**
 * What is stored of a code: worthless without the key, and good for one sign-in only.
 *
 * @param key `DerivedKeys.oneTimeCode`.
 * @param signIn hash of the sign-in's handle.
 */
export function oneTimeCodeMac(key: Uint8Array, signIn: Uint8Array, code: string): Buffer {
  return macOf(key, signIn, code);
}

/** Whether a code that was entered is the one of a MAC, in a time that doesn't tell how near it was. */
export function isCorrectCode(key: Uint8Array, signIn: Uint8Array, entered: string, mac: Uint8Array): boolean {
  const own = oneTimeCodeMac(key, signIn, normalizeOneTimeCode(entered));
  return own.length === mac.length && timingSafeEqual(own, mac);
}
