/** Headers as `ServerResponse.writeHead` takes them unparsed: name, value, name, value, … */
export type RawHeaders = readonly string[];

/**
 * Headers of every public answer, errors included. Any web page may read it, without credentials (Fetch standard, CORS
 * protocol), and no browser guesses another type.
 */
export const PLAIN_PUBLIC_HEADERS: RawHeaders = [
  "Access-Control-Allow-Origin",
  "*",
  "X-Content-Type-Options",
  "nosniff",
];

/** The same for answers that may have `ETag`, `Age` or `Retry-After`: web pages may read these headers, too. */
export const PUBLIC_HEADERS: RawHeaders = [
  ...PLAIN_PUBLIC_HEADERS,
  "Access-Control-Expose-Headers",
  "ETag, Age, Retry-After",
];

/** A day; browsers reduce it to their own maximum. */
const PREFLIGHT_MAX_AGE_SECONDS = "86400";

/**
 * Headers of the answer to a CORS preflight. `authorization` is allowed since clients send their token with every
 * request; the public read ignores it.
 */
export const PREFLIGHT_HEADERS: RawHeaders = [
  ...PUBLIC_HEADERS,
  "Access-Control-Allow-Methods",
  "GET, HEAD, POST",
  "Access-Control-Allow-Headers",
  "authorization, content-type, if-none-match, last-event-id",
  "Access-Control-Max-Age",
  PREFLIGHT_MAX_AGE_SECONDS,
];
