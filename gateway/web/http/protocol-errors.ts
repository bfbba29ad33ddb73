import { PublicError } from "./public-error.ts";

/** Answer to a request of HTTP/1.1 without `Host` (RFC 9112, section 3.2). */
export const MISSING_HOST = new PublicError("invalid_argument", "A request of HTTP/1.1 must have a Host header.");

/** Answer to an `Expect` other than `100-continue` (RFC 9110, section 10.1.1). */
export const UNKNOWN_EXPECTATION = new PublicError("invalid_argument", "The only expectation met is 100-continue.", {
  status: 417,
});
