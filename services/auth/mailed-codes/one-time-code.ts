import { randomBytes, timingSafeEqual } from "node:crypto";
import { macOf } from "../../../common/platform/secrets/mac.ts";

/** Consonants, so that codes spell no words, and none that looks like another character (RFC 8628 section 6.1). */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const CODE_CHARACTERS = 8;
const GROUP_CHARACTERS = 4;
/** Bytes from here on are skipped, because they would make the first letters of the alphabet more likely. */
const ACCEPTED_BYTES = 256 - (256 % ALPHABET.length);

/** Makes a code of 8 letters, each equally likely. @param random `crypto.randomBytes`, or a substitute in a test */
export function newOneTimeCode(random: (bytes: number) => Uint8Array = randomBytes): string {
  let code = "";
  while (code.length < CODE_CHARACTERS) {
    for (const byte of random(CODE_CHARACTERS)) {
      if (byte < ACCEPTED_BYTES && code.length < CODE_CHARACTERS) code += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return code;
}

/** Formats a code for people: `XXXX-XXXX`. */
export function formatOneTimeCode(code: string): string {
  return `${code.slice(0, GROUP_CHARACTERS)}-${code.slice(GROUP_CHARACTERS)}`;
}

/** Everything but letters that stand for themselves: also marks, and the long vowel sign that Japanese keyboards give for a dash. */
const NOT_LETTERS = /[^\p{Lu}\p{Ll}\p{Lo}\p{Nd}]/gu;
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_CHARACTERS}}$`);

/**
 * Reads a code from what a person entered, whatever a mail program, a keyboard or a clipboard made of it: case, width and
 * style of letters (NFKC), and all that isn't a letter or a digit don't matter.
 *
 * @returns the code as `newOneTimeCode` made it; undefined for text that can't be a code
 */
export function parseOneTimeCode(entered: string): string | undefined {
  const code = entered.normalize("NFKC").replaceAll(NOT_LETTERS, "").toUpperCase();
  return CODE.test(code) ? code : undefined;
}

/**
 * The MAC that is stored in place of a code. It is useless without the key, and fits one sign-in only.
 *
 * @param key `DerivedKeys.oneTimeCode`.
 * @param signIn the hash of the sign-in's handle.
 */
export function oneTimeCodeMac(key: Uint8Array, signIn: Uint8Array, code: string): Buffer {
  return macOf(key, signIn, code);
}

/** Whether a code fits a MAC, compared in constant time. @param code from `parseOneTimeCode` */
export function isCorrectCode(key: Uint8Array, signIn: Uint8Array, code: string, mac: Uint8Array): boolean {
  const own = oneTimeCodeMac(key, signIn, code);
  return own.length === mac.length && timingSafeEqual(own, mac);
}
