import type { OutgoingHttpHeaders } from "node:http";

/** `Headers` joins the values of a repeated header by commas, except those of `set-cookie` (RFC 6265 section 3). */
export function outgoingHeaders(headers = new Headers()): OutgoingHttpHeaders {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) };
}
