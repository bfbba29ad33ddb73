/**
 * Makes a text from elsewhere (a node, a founder) safe for a terminal: control and formatting characters, which could move
 * the cursor or hide text, become U+FFFD.
 */
export function terminalText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
}
