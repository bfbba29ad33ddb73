import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  formatOneTimeCode,
  isCorrectCode,
  newOneTimeCode,
  normalizeOneTimeCode,
  oneTimeCodeMac,
} from "./one-time-code.ts";

const KEY = Buffer.alloc(32, 1);
const SIGN_IN = Buffer.alloc(32, 2);

describe("newOneTimeCode", () => {
  it("has 8 letters that spell no words and aren't mistaken for others", () => {
    for (let count = 0; count < 200; count += 1) expect(newOneTimeCode()).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
  });

  it("draws each letter from the same number of bytes, and skips the bytes above", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      // The byte itself, then bytes that fill the code up with the first letter.
      const [letter = ""] = newOneTimeCode(fixedBytes([byte]));
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    // 240 bytes give 20 letters 12 times each. The 16 others are skipped, and the next byte gives a B.
    expect(counts.get("B")).toBe(12 + 16);
    expect([...counts.entries()].filter(([letter]) => letter !== "B").map(([, count]) => count)).toEqual(
      new Array(19).fill(12),
    );
  });

  function fixedBytes(first: readonly number[]): (count: number) => Uint8Array {
    let given = false;
    return (count) => {
      const bytes = new Uint8Array(count);
      if (!given) bytes.set(first);
      given = true;
      return bytes;
    };
  }
});

describe("an entered code", () => {
  const mac = oneTimeCodeMac(KEY, SIGN_IN, "BCDFGHJK");

  it.each([
    "BCDFGHJK",
    "BCDF-GHJK",
    "bcdf-ghjk",
    " bCdF ghJk\n",
    "B C D F G H J K",
    "BCDF\u2013GHJK",
    "BCDF\u00a0GHJK",
    "\u200bBCDF\u2011GHJK",
  ])("is right as %j", (entered) => {
    expect(isCorrectCode(KEY, SIGN_IN, entered, mac)).toBe(true);
  });

  it.each(["", "BCDFGHJ", "BCDFGHJKL", "BCDFGHJL", "BCDF_GHJK", "BCDF.GHJK", "ＢCDFGHJK"])(
    "is wrong as %j",
    (entered) => {
      expect(isCorrectCode(KEY, SIGN_IN, entered, mac)).toBe(false);
    },
  );

  it("is wrong for another sign-in, under another key, and against a cut MAC", () => {
    expect(isCorrectCode(KEY, Buffer.alloc(32, 3), "BCDFGHJK", mac)).toBe(false);
    expect(isCorrectCode(Buffer.alloc(32, 4), SIGN_IN, "BCDFGHJK", mac)).toBe(false);
    expect(isCorrectCode(KEY, SIGN_IN, "BCDFGHJK", mac.subarray(0, 16))).toBe(false);
  });

  it("is right however it is shown, and for that code only", () => {
    for (let count = 0; count < 50; count += 1) {
      const [code, other] = [newOneTimeCode(), newOneTimeCode()];
      const signIn = randomBytes(32);
      const shown = formatOneTimeCode(code);
      expect(shown).toMatch(/^.{4}-.{4}$/);
      expect(normalizeOneTimeCode(shown.toLowerCase())).toBe(code);
      expect(isCorrectCode(KEY, signIn, shown, oneTimeCodeMac(KEY, signIn, code))).toBe(true);
      expect(isCorrectCode(KEY, signIn, other, oneTimeCodeMac(KEY, signIn, code))).toBe(other === code);
    }
  });
});
