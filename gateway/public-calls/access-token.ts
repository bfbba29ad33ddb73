import type { AuthContext } from "../web/http/hono-context.ts";
import { MISSING_TOKEN_CHALLENGE, type TokenScheme, tokenChallenge } from "../web/sessions/token-challenge.ts";
import { CallError } from "./call-error.ts";

/** The access token of a request, and the scheme in which it was sent. */
export interface PresentedToken {
  readonly scheme: TokenScheme;
  readonly accessToken: string;
}

/** Bound of `access_token` by the contract. */
const MAX_TOKEN_CHARACTERS = 8192;
/** A token after its scheme (RFC 6750 section 2.1, RFC 9449 section 7.1). Existing clients write `api:Bearer`. */
const CREDENTIALS = /^((?:api:)?bearer|dpop) +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Returns the access token of a request.
 *
 * @throws CallError `unauthenticated` where there is none, or what is there can't be one
 */
export function presentedToken(c: AuthContext): PresentedToken {
  const authorization = c.req.header("authorization");
  if (authorization === undefined) throw missingToken();
  const [, name = "", accessToken = ""] = CREDENTIALS.exec(authorization) ?? [];
  const scheme = name.toLowerCase() === "dpop" ? "DPoP" : "Bearer";
  if (accessToken !== "" && accessToken.length <= MAX_TOKEN_CHARACTERS) return { scheme, accessToken };
  throw unauthorized("The Authorization header holds no access token.", tokenChallenge(scheme, "invalid_token"));
}

function missingToken(): CallError {
  return unauthorized("An access token is required: Authorization: Bearer or DPoP.", MISSING_TOKEN_CHALLENGE);
}

/** Returns the error for a token that isn't valid. Clients sign their user out on this status. */
export function unauthorized(message: string, challenge: string): CallError {
  return new CallError("unauthenticated", message, { headers: { "WWW-Authenticate": challenge } });
}
