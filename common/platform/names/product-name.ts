/** The product's own name, in small letters. */
const PRODUCT = "tidemark";

/**
 * Characters that look like a letter of the product's name, small or capital, as code points: those whose prototype in Unicode 16's
 * confusables (UTS 39, section 4) is the letter's once strokes, hooks and other marks are taken off, in either case; the letter's small
 * capital, and the letter in a black circle, a black square and as a flag's half. Left out is what NFKD and a change of case make the
 * letter anyway. The name's `I` looks like `l`, hence that.
 */
const LOOKALIKES: Readonly<Record<string, string>> = {
  t: "166 1ac 1ae 23e 3a4 422 4ac 13a2 1d1b 1d75 20ae 22a4 2361 27d9 2ca6 a4d4 10297 102b1 10315 118bc 16f0a 1f163 1f183 1f1f9 1f768",
  i: "31 6c 7c 13f 142 196 197 1c0 23d 26d 2db 37a 399 406 4c0 5c0 5d5 5df 5f1 627 661 673 6f1 7ca 13a5 14b7 16c1 1d7b 1d7c 2223 2373 2378 23fd 2c62 2c92 2d4f a4f2 a646 a7ae ffe8 1028a 10309 10320 118c3 16f28 1e8c7 1f158 1f178 1f1ee",
  d: "d0 110 189 18a 18b 500 13a0 13e7 146f 147a 147b 1487 15de 15ea 1d05 20ab a4d2 a4d3 1f153 1f173 1f1e9",
  e: "246 395 415 4bc 4be 13ac 1d07 212e 22ff 2d39 a4f0 ab32 10286 118a6 118ae 1f154 1f174 1f1ea",
  m: "39c 3fa 41c 4cd 13b7 15f0 16d6 1d0d 1d6f 20a5 2c6e 2c98 a4df 102b0 10311 11700 118e3 1f15c 1f17c 1f1f2",
  a: "391 410 13aa 15c5 1d00 1e9a 2376 237a 2c6d a4ee 102a0 16f40 1f150 1f170 1f1e6",
  r: "1a6 24c 27c 413 491 492 13a1 13b1 13d2 1587 1d26 1d72 2c64 2c84 a4e3 ab47 ab48 104b4 16f35 1d216 1f161 1f181 1f1f7",
  k: "198 39a 41a 49a 49e 13e6 16d5 1d0b 20ad 2c69 2c94 a4d7 a740 10518 1f15a 1f17a 1f1f0",
  ar: "1f707",
};

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKALIKES).flatMap(([letter, codes]) =>
    codes.split(" ").map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), letter] as const),
  ),
);

/** The signs of a trade or service mark, of which NFKD makes letters. */
const SIGNS = /[\u2120\u2122]/g;
/** Marks, which come off before letters are compared, as the capital of some is a letter. */
const MARKS = /\p{M}/gu;
/** Prototype of `m` in the confusables. */
const TWO_LETTERS = /rn/g;
const NO_LETTERS = /[^\p{L}\p{N}]/gu;

/** Whether a name reads as the product's own: the same skeleton (UTS 39), whatever its case, spaces, marks and punctuation. */
export function looksLikeProduct(name: string): boolean {
  const plain = Array.from(name.replace(SIGNS, ""), decomposed).join("").replace(MARKS, "");
  const letters = Array.from(plain, letterOf).join("");
  return letters.replace(NO_LETTERS, "").replace(TWO_LETTERS, "m") === PRODUCT;
}

/** NFKD would take some lookalikes apart into a space and a mark. */
function decomposed(character: string): string {
  return LETTERS.get(character) ?? character.normalize("NFKD");
}

function letterOf(character: string): string {
  const capital = character.toUpperCase();
  return LETTERS.get(character) ?? LETTERS.get(capital) ?? capital.toLowerCase();
}
