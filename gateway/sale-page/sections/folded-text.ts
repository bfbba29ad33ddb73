/** Characters and lines that are shown without asking for more. */
const SHOWN_CHARACTERS = 320;
const SHOWN_LINES = 5;
/** A rest that is as short as this isn't worth a click. */
const SHORT_REST = 80;

/**
 * Divides a text with line breaks into what is shown at once and the rest. It is divided between lines or words, never within
 * one, unless a word is longer than what is shown.
 */
export function foldedText(text: string): readonly [shown: string, rest: string] {
  const characters = Array.from(text);
  const lines = text.split("\n", SHOWN_LINES).join("\n");
  const head = Array.from(lines).slice(0, SHOWN_CHARACTERS).join("");
  const isWhole = head.length === text.length;
  if (isWhole || (lines === text && characters.length <= SHOWN_CHARACTERS + SHORT_REST)) return [text, ""];
  const cut = head.length === lines.length ? head : beforeLastSpace(head);
  return [cut.trimEnd(), text.slice(cut.length).trimStart()];
}

function beforeLastSpace(text: string): string {
  const [, before] = /^(.+)\s/s.exec(text) ?? [];
  return before ?? text;
}
