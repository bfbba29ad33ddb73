import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatOneTimeCode, isCorrectCode, newOneTimeCode, oneTimeCodeMac, parseOneTimeCode } from "./one-time-code.ts";

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

const CODE = "BCDFGHJK";

/** Characters that mail programs, keyboards and clipboards put around and between letters. */
const AROUND = [
  ...[" ", "\t", "\r\n", "\u00a0", "\u2009", "\u3000", "\u2028"],
  // Dashes and what passes for one: hyphens, minus signs, the long vowel of Japanese keyboards, a bullet, an underscore.
  ...[
    "-",
    "\u2010",
    "\u2011",
    "\u2012",
    "\u2013",
    "\u2014",
    "\u2015",
    "\u2212",
    "\u02d7",
    "\u2043",
    "\ufe63",
    "\uff0d",
  ],
  ...["\u30fc", "\uff70", "\u301c", "\u2500", "_", "~"],
  ...[
    '"',
    "'",
    "\u201c",
    "\u201d",
    "\u201e",
    "\u2018",
    "\u2019",
    "\u00ab",
    "\u00bb",
    "\u300c",
    "\u300d",
    "\uff02",
    "\u0060",
    "\u00b4",
  ],
  ...[
    ".",
    ",",
    ":",
    ";",
    "!",
    "\u3002",
    "\uff0e",
    "\uff61",
    "\u2026",
    ">",
    "<",
    "*",
    "|",
    "(",
    ")",
    "[",
    "]",
    "\u2022",
  ],
  // Characters that nobody sees: zero-width spaces, joiners, directions, a soft hyphen, a byte order mark, variation selectors.
  ...[
    "\u200b",
    "\u200c",
    "\u200d",
    "\u200e",
    "\u202a",
    "\u202c",
    "\u2060",
    "\u2066",
    "\u2069",
    "\u00ad",
    "\ufeff",
    "\ufe0f",
    "\u0000",
  ],
];

/** Ways to write a letter that mean the same to a person. */
const WRITTEN: readonly ((letter: string) => string)[] = [
  (letter) => letter,
  (letter) => letter.toLowerCase(),
  // Full width, as keyboards for Chinese, Japanese and Korean give it.
  (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0),
  (letter) => String.fromCodePoint(letter.toLowerCase().charCodeAt(0) + 0xfee0),
  // Bold and monospaced letters of mathematics, as some programs style text, and circled ones.
  (letter) => String.fromCodePoint(letter.charCodeAt(0) - 65 + 0x1d400),
  (letter) => String.fromCodePoint(letter.charCodeAt(0) - 65 + 0x1d670),
  (letter) => String.fromCodePoint(letter.charCodeAt(0) - 65 + 0x24b6),
];

describe("parseOneTimeCode", () => {
  const around = fc.array(fc.constantFrom(...AROUND), { maxLength: 4 }).map((each) => each.join(""));

  it("takes everything that a mail program or a keyboard makes of a code", () => {
    const letters = fc.array(fc.tuple(around, fc.constantFrom(...WRITTEN)), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(letters, around, (parts, end) => {
        const code = newOneTimeCode();
        const entered = parts.map(([before, write], index) => before + write(code.charAt(index))).join("") + end;
        expect(parseOneTimeCode(entered)).toBe(code);
        expect(parseOneTimeCode(entered.normalize("NFD"))).toBe(code);
      }),
    );
  });

  it.each(AROUND)("takes a code with %j in the place of its dash, and around it", (character) => {
    expect(parseOneTimeCode(`${character}BCDF${character}GHJK${character}`)).toBe(CODE);
  });

  it("takes nothing that isn't the 8 letters of a code, and never another code than the one that is there", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (entered) => {
        const code = parseOneTimeCode(entered);
        const letters = entered
          .normalize("NFKC")
          .toUpperCase()
          .replaceAll(/[^A-Z0-9]/g, "");
        if (code !== undefined)
          expect([code, code]).toEqual([letters, expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)]);
      }),
      { examples: [["BCDF-GHJK"], ["\u212aCDFGHJK"], ["bcdfghj\u017f"]] },
    );
  });

  it.each([
    ["nothing", ""],
    ["too little", "BCDFGHJ"],
    ["too much", "BCDFGHJKL"],
    ["two codes", "BCDF-GHJK BCDF-GHJK"],
    ["digits", "1234-5678"],
    ["a vowel", "BCDF-GHJA"],
    ["Cyrillic letters", "ВВВВ-ВВВВ"],
    ["SQL", "' OR '1'='1"],
    ["a very long text", "B".repeat(10_000)],
  ])("finds no code in %s", (_, entered) => {
    expect(parseOneTimeCode(entered)).toBeUndefined();
  });
});

describe("the MAC of a code", () => {
  const mac = oneTimeCodeMac(KEY, SIGN_IN, CODE);

  it("fits that code only, one sign-in only, one key only, and isn't cut", () => {
    expect(isCorrectCode(KEY, SIGN_IN, CODE, mac)).toBe(true);
    expect(isCorrectCode(KEY, SIGN_IN, "BCDFGHJL", mac)).toBe(false);
    expect(isCorrectCode(KEY, Buffer.alloc(32, 3), CODE, mac)).toBe(false);
    expect(isCorrectCode(Buffer.alloc(32, 4), SIGN_IN, CODE, mac)).toBe(false);
    expect(isCorrectCode(KEY, SIGN_IN, CODE, mac.subarray(0, 16))).toBe(false);
  });

  it("fits the code as mails show it", () => {
    const [code, signIn] = [newOneTimeCode(), randomBytes(32)];
    const shown = formatOneTimeCode(code);
    expect(shown).toMatch(/^.{4}-.{4}$/);
    expect(isCorrectCode(KEY, signIn, parseOneTimeCode(shown) ?? "", oneTimeCodeMac(KEY, signIn, code))).toBe(true);
  });
});
