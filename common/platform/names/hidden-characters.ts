/**
 * Controls, line breaks, lone halves of characters, unassigned characters, characters that reorder the text around them
 * (UAX 9), invisible ones, and signs that are blank in every font (Braille, music, Khitan, Egyptian): none of these may make
 * two texts look the same.
 */
const HIDDEN_CLASS =
  "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\u{16fe4}\\u{1d159}\\u{13441}\\u{13442}";
const HIDDEN = `[${HIDDEN_CLASS}]+`;
/** A text from its first to its last character that is neither white space nor hidden. */
const BETWEEN_BLANKS = new RegExp(`[^\\s${HIDDEN_CLASS}](?:.*[^\\s${HIDDEN_CLASS}])?`, "su");
/** Scripts whose words look the same with a joiner as without, beside the marks that all scripts share. */
const NEEDS_NO_JOINER = ["Latin", "Greek", "Cyrillic", "Han", "Hangul", "Hiragana", "Katakana", "Common", "Inherited"];
/**
 * Joiners and variation selectors that spelling needs: a joiner after a letter or mark of a script that shows it, as in Persian and
 * Sinhala; of each at most one after an emoji, as in emoji that are made of several; the selector of a keycap.
 */
const SPELLING = [
  `(?<=[\\p{L}\\p{M}])(?<![${NEEDS_NO_JOINER.map((script) => `\\p{Script=${script}}`).join("")}])[\\u200c\\u200d]`,
  "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}])(?:[\\ufe0e\\ufe0f]\\u200d?|\\u200d)",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
].join("|");
const SPELLING_OR_HIDDEN = new RegExp(`(${SPELLING})|${HIDDEN}`, "gu");

/** Whether a line that one person writes and others read, as a name or a symbol, has characters that nobody sees. */
export function hasHiddenCharacters(text: string): boolean {
  return withoutHiddenCharacters(text, "") !== text;
}

/** Returns a text with a replacement for each run of such characters, for texts that are shown whatever they are. */
export function withoutHiddenCharacters(text: string, replacement: string): string {
  return text.replaceAll(SPELLING_OR_HIDDEN, (_, spelling?: string) => spelling ?? replacement);
}

/**
 * Returns a text without the white space and the hidden characters around it, which a copy from a mail or a chat brings along. For
 * values that can't have such characters, as an address; not for names.
 */
export function withoutOuterBlanks(text: string): string {
  return BETWEEN_BLANKS.exec(text)?.[0] ?? "";
}
