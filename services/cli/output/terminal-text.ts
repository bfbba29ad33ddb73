import { withoutHiddenCharacters } from "../../../common/platform/names/hidden-characters.ts";

/**
 * Makes a text from elsewhere (a node, a founder) safe for a terminal: characters that nobody sees, which could move the cursor or
 * hide text, become U+FFFD, a run of them one.
 */
export function terminalText(text: string): string {
  return withoutHiddenCharacters(text, "\ufffd");
}
