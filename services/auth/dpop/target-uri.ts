/** Visible ASCII without the backslash, which parsers of browsers read as a slash. */
const VISIBLE = /^[!-[\]-~]+$/;
const ENCODED = /%([0-9A-Fa-f]{2})/g;
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

/**
 * Normalises the URI of a request for comparison (RFC 9449 section 4.3; RFC 3986 sections 6.2.2 and 6.2.3): without query and
 * fragment, scheme and host in lower case, without default port and dot segments, and no unreserved character encoded.
 *
 * @returns undefined for a text that is no absolute `http` or `https` URI, or that contains credentials.
 */
export function normalisedTarget(uri: string): string | undefined {
  if (!VISIBLE.test(uri) || !/^https?:\/\/[^/]/i.test(uri) || !URL.canParse(uri)) return undefined;
  const { origin, pathname, username, password } = new URL(uri);
  if (username !== "" || password !== "") return undefined;
  return origin + pathname.replace(ENCODED, normalisedOctet);
}

function normalisedOctet(_: string, digits: string): string {
  const character = String.fromCharCode(Number.parseInt(digits, 16));
  return UNRESERVED.test(character) ? character : `%${digits.toUpperCase()}`;
}
