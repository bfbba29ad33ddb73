import type { AuthContext } from "../web/http/hono-context.ts";
import { CallError } from "./call-error.ts";

/** Bound of `access_token` by the contract. */
const MAX_TOKEN_CHARACTERS = 8192;
/** A token after the scheme `Bearer` (RFC 6750 section 2.1), which existing clients write as `api:Bearer`. */
const CREDENTIALS = /^(?:api:)?bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Returns the access token of a request.
 *
 * @throws CallError `unauthenticated` where there is none, or what is there can't be one
 */
export function accessTokenOf(c: AuthContext): string {
  const authorization = c.req.header("authorization");
  if (authorization === undefined) throw unauthorized("An access token is required: Authorization: Bearer.");
  const token = CREDENTIALS.exec(authorization)?.[1];
  if (token !== undefined && token.length <= MAX_TOKEN_CHARACTERS) return token;
  throw unauthorized("The Authorization header holds no access token.", "invalid_token");
}

/**
 * Returns the error for a token that isn't valid. Clients sign their user out on this status.
 *
 * @param error the code in the challenge; none for a request without a token (RFC 6750 section 3.1)
 */
export function unauthorized(message: string, error?: "invalid_token"): CallError {
  const challenge = `Bearer realm="tidemark"${error === undefined ? "" : `, error="${error}"`}`;
  return new CallError("unauthenticated", message, { headers: { "WWW-Authenticate": challenge } });
}
