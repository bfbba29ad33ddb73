/** Headers as `ServerResponse.writeHead` takes them unparsed: name, value, name, value, … */
export type RawHeaders = readonly string[];

/**
 * Headers of every public answer, errors included. Any web page may read it, without credentials (Fetch standard, CORS
 * protocol), and no browser guesses another type.
 */
export const BASE_PUBLIC_HEADERS: RawHeaders = [
  "Access-Control-Allow-Origin",
  "*",
  "X-Content-Type-Options",
  "nosniff",
];

/** Name of the header with the block of a sale's last change. */
export const CHANGED_BLOCK = "Tidemark-Changed-Block";

/**
 * Headers of public answers that may have `ETag`, `Age`, `Retry-After` or a block: web pages may read these headers, too, and `Date`, as
 * their own clocks may be wrong.
 */
export const PUBLIC_HEADERS: RawHeaders = [
  ...BASE_PUBLIC_HEADERS,
  "Access-Control-Expose-Headers",
  `ETag, Age, Date, Retry-After, ${CHANGED_BLOCK}`,
];

/** Returns the header with a block, and for answers without `PUBLIC_HEADERS` what lets web pages read it. */
export function changedBlockHeaders(block: string | undefined): {
  readonly headers: RawHeaders;
  readonly postHeaders: RawHeaders;
} {
  const header = block === undefined ? [] : [CHANGED_BLOCK, block];
  const exposed = block === undefined ? [] : ["Access-Control-Expose-Headers", CHANGED_BLOCK];
  return {
    headers: [...PUBLIC_HEADERS, ...header],
    postHeaders: [...BASE_PUBLIC_HEADERS, ...exposed, ...header],
  };
}

/** A day; browsers reduce it to their own maximum. */
const PREFLIGHT_MAX_AGE_SECONDS = "86400";

/**
 * Names of request headers that a page may send for something public, to which no header gives more: all, since scripts that trace
 * requests add theirs to each. `*` doesn't stand for `Authorization` (Fetch standard), which clients send with every request.
 */
export const ANY_HEADER = "*, Authorization";

/** Headers of the answer to a CORS preflight. */
export const PREFLIGHT_HEADERS: RawHeaders = [
  ...PUBLIC_HEADERS,
  "Access-Control-Allow-Methods",
  "GET, HEAD, POST",
  "Access-Control-Allow-Headers",
  ANY_HEADER,
  "Access-Control-Max-Age",
  PREFLIGHT_MAX_AGE_SECONDS,
];
