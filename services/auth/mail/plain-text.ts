const MAX_NAME_CHARACTERS = 100;
/** Control and format characters, such as line breaks and changes of direction, and line and paragraph separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * Makes a name that another person chose safe for a line of a mail: it can't begin a header, change the direction of the
 * text, control a terminal, or look like a link with a scheme.
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

/** Escapes text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
