/**
 * The path of an origin-form or absolute-form request target (RFC 9112, section 3.2); empty for any other form.
 * Nothing is decoded or normalised, so no proxy in front can have understood the path differently.
 */
export function requestPath(target: string): string {
  return /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(target)?.[1] ?? "";
}

/** A dot segment, a backslash (which browsers and URL parsers read as a slash), or an encoded dot, slash or backslash. */
const AMBIGUOUS = /\/\.{1,2}(?:\/|$)|\\|%(?:2e|2f|5c)/i;

/**
 * Whether two programs could understand a path as different ones: as it is, or decoded and with its dot segments removed
 * (RFC 3986 sections 5.2.4 and 6.2.2). Our own paths never need such text.
 */
export function isAmbiguousPath(path: string): boolean {
  return AMBIGUOUS.test(path);
}
