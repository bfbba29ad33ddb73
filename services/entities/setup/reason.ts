const MAX_CHARACTERS = 500;
/** Controls, and characters that are invisible or change the direction of the text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Returns the reason of a refusal as one line of visible text, at most 500 characters. Empty if nothing is visible. */
export function cleanReason(text: string): string {
  const line = text.replaceAll(INVISIBLE, " ").replaceAll(/\s+/g, " ").trim();
  return [...line].slice(0, MAX_CHARACTERS).join("");
}
