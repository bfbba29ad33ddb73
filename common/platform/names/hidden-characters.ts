/**
 * Controls, line breaks, lone halves of characters, unassigned characters, characters that reorder the text around them
 * (UAX 9), invisible ones, and signs that are blank in every font (Braille, music, Khitan, Egyptian): none of these may make
 * two texts look the same.
 */
const HIDDEN =
  "[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\u{16fe4}\\u{1d159}\\u{13441}\\u{13442}]+";
/**
 * Joiners and variation selectors that spelling needs, as in Persian words and in emoji that are made of several: at most one of
 * each, after a letter or an emoji.
 */
const SPELLING =
  "(?<=[\\p{L}\\p{M}\\p{Emoji}\\p{Extended_Pictographic}])(?:[\\ufe0e\\ufe0f][\\u200c\\u200d]?|[\\u200c\\u200d])";
const SPELLING_OR_HIDDEN = new RegExp(`(${SPELLING})|${HIDDEN}`, "gu");

/** Whether a line that one person writes and others read, as a name or a symbol, has characters that nobody sees. */
export function hasHiddenCharacters(text: string): boolean {
  return withoutHiddenCharacters(text, "") !== text;
}

/** Returns a text with a replacement for each run of such characters, for texts that are shown whatever they are. */
export function withoutHiddenCharacters(text: string, replacement: string): string {
  return text.replaceAll(SPELLING_OR_HIDDEN, (_, spelling?: string) => spelling ?? replacement);
}
