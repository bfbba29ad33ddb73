const MAX_NAME_CHARACTERS = 100;
/** Control and format characters (line breaks, changes of direction), line and paragraph separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * A name that somebody else chose, fit to stand in a line of a mail: it can't begin a header, change the direction of
 * the text, act on a terminal, or look like a link with a scheme.
 */
export function plainName(text: string): string {
  const line = text.replaceAll(INVISIBLE, " ").replaceAll("://", " ").replaceAll(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length > MAX_NAME_CHARACTERS ? `${characters.slice(0, MAX_NAME_CHARACTERS).join("")}…` : line;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for HTML, in elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
