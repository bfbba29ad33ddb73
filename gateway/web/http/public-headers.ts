/** Headers as `ServerResponse.writeHead` takes them unparsed: name, value, name, value, … */
export type RawHeaders = readonly string[];

/**
 * On every public answer, errors included: any web page may read it, without credentials (Fetch standard, CORS
 * protocol); no browser guesses another type.
 */
export const PLAIN_PUBLIC_HEADERS: RawHeaders = [
  "Access-Control-Allow-Origin",
  "*",
  "X-Content-Type-Options",
  "nosniff",
];

/** Where an answer may carry one of these, lets web pages see it, too. */
export const PUBLIC_HEADERS: RawHeaders = [
  ...PLAIN_PUBLIC_HEADERS,
  "Access-Control-Expose-Headers",
  "ETag, Age, Retry-After",
];

/** A day; browsers cut it to their own bound. */
const PREFLIGHT_MAX_AGE_SECONDS = "86400";

/**
 * Answer to a CORS preflight. `authorization` is allowed because clients send their token with every request; the
 * public read ignores it.
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
