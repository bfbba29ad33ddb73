// @ts-check
// What stands in the place of a sale's logo: letters of its name on a colour that follows from the name.

/** Dark enough for white letters: a contrast of at least 4.5 to 1. */
const ACCENTS = ["#0b6275", "#2f5d8a", "#5b4b9a", "#8a3f6d", "#9a4424", "#6b5a17", "#2d6a3e", "#4a5568"];
/** A word's first letter or digit. */
const INITIAL = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}]/gu;
/** Scripts of which two initials stand side by side. Elsewhere letters join, so there is one. */
const SEPARATE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]$/u;

/**
 * Returns the initials of a name, two at most and none where it has no letters, and its colour.
 *
 * @param {string} name
 * @returns {{ letters: string, accent: string }}
 */
export function monogramOf(name) {
  const [first = "", second = ""] = name.normalize("NFC").match(INITIAL) ?? [];
  const isPair = SEPARATE.test(first) && SEPARATE.test(second);
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return { letters: (isPair ? first + second : first).toUpperCase(), accent: ACCENTS[sum % ACCENTS.length] ?? "" };
}
