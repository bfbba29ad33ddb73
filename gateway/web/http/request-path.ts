/**
 * The path of an origin-form or absolute-form request target (RFC 9112, section 3.2); empty for any other form.
 * Nothing is decoded or normalised, so no proxy in front can have understood the path differently.
 */
export function requestPath(target: string): string {
  return /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(target)?.[1] ?? "";
}
