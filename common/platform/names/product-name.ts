/** The product's own name, in small letters. */
const PRODUCT = "tidemark";

/**
 * Characters that look like a letter of the product's name, small or capital, as code points: those whose prototype in Unicode 16's
 * confusables (UTS 39, section 4) is the letter's, without what NFKD and a change of case make the letter anyway, and the letter's
 * small capital. The name's `I` looks like `l`, hence that.
 */
const LOOKALIKES: Readonly<Record<string, string>> = {
  t: "3a4 422 13a2 1d1b 22a4 27d9 2ca6 a4d4 10297 102b1 10315 118bc 16f0a 1f768",
  i: "31 6c 7c 196 1c0 26a 2db 37a 399 406 4c0 5c0 5d5 5df 627 661 6f1 7ca 13a5 16c1 2223 2373 23fd 2c92 2d4f a4f2 a647 ffe8 1028a 10309 10320 118c3 16f28 1e8c7",
  d: "501 13a0 13e7 146f 15de 15ea 1d05 a4d2 a4d3",
  e: "395 415 4bd 13ac 1d07 212e 22ff 2d39 a4f0 ab32 10286 118a6 118ae",
  m: "39c 3fa 41c 13b7 15f0 16d6 1d0d 2c98 a4df 102b0 10311 11700 118e3",
  a: "251 391 410 13aa 15c5 1d00 237a a4ee 102a0 16f40",
  r: "1a6 280 433 13a1 13d2 1587 1d26 2c85 a4e3 ab47 ab48 ab81 104b4 16f35 1d216",
  k: "39a 41a 13e6 16d5 1d0b 2c94 a4d7 10518",
};

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKALIKES).flatMap(([letter, codes]) =>
    codes.split(" ").map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), letter] as const),
  ),
);

/** Prototype of `m` in the confusables. */
const TWO_LETTERS = /rn/g;
const NO_LETTERS = /[^\p{L}\p{N}]/gu;

/** Whether a name reads as the product's own: the same skeleton (UTS 39), whatever its case, spaces, marks and punctuation. */
export function looksLikeProduct(name: string): boolean {
  const letters = Array.from(name.normalize("NFKD"), letterOf).join("");
  return letters.replace(NO_LETTERS, "").replace(TWO_LETTERS, "m") === PRODUCT;
}

function letterOf(character: string): string {
  const capital = character.toUpperCase();
  return LETTERS.get(character) ?? LETTERS.get(capital) ?? capital.toLowerCase();
}
