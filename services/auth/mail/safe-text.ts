import { withoutHiddenCharacters } from "../../../common/platform/names/hidden-characters.ts";
import { withoutLinkParts } from "../../../common/platform/names/link-in-name.ts";

const MAX_NAME_CHARACTERS = 100;

/** Quotation marks, with which a name could end its own quotation and go on in our words. */
const QUOTES = /["\p{Pi}\p{Pf}\u201a\u201e\u300c-\u300f\u301d-\u301f\uff02]/gu;

/**
 * Quotes a name that another person chose for a line of a mail: it can't begin a header, change the direction of the text,
 * control a terminal, look like a link, or end its quotation. The words before it say what it is the name of.
 */
export function quotedName(text: string, maxCharacters: number = MAX_NAME_CHARACTERS): string {
  return `“${safeName(text, maxCharacters)}”`;
}

/** Makes a name safe as `quotedName` does, for a line that has the quotation marks itself. */
export function safeName(text: string, maxCharacters: number = MAX_NAME_CHARACTERS): string {
  const visible = withoutLinkParts(withoutHiddenCharacters(text, " ")).replaceAll(QUOTES, "'");
  const line = visible.replaceAll(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters).join("")}…` : line;
}
