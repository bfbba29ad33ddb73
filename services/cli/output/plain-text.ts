/**
 * A text that somebody else wrote (a contract's node, a founder), as it may go to a terminal: control and formatting
 * characters, which could move the cursor or hide what stands there, become U+FFFD.
 */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
}
