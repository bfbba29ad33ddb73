import type { OAuthError } from "../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import type { DpopRequests } from "../web/sessions/dpop-requests.ts";
import { MISSING_TOKEN_CHALLENGE, type TokenScheme, tokenChallenge } from "../web/sessions/token-challenge.ts";
import { OAuthAnswerError } from "./oauth-error.ts";

/** Bound of `access_token` by the contract. */
const MAX_TOKEN_CHARACTERS = 8192;
const SCHEME = /^(bearer|dpop)\b/i;
/** A scheme with the `b64token` of RFC 6750 section 2.1, or the `token68` of RFC 9449 section 7.1. */
const CREDENTIALS = /^(?:bearer|dpop) +([A-Za-z0-9._~+/-]+=*)$/i;

/** `/oauth/userinfo`: the claims that the access token in `Authorization` allows. */
export async function userInfo(
  c: AuthContext,
  { clients, config }: AuthDependencies,
  dpopRequests: DpopRequests,
): Promise<Response> {
  const { scheme, accessToken } = presentedToken(c);
  const proof = scheme === "DPoP" ? { dpop: await dpopRequests.proofOf(c, config.authUrl) } : {};
  const { result } = await clients.authorization.getUserInfo({ accessToken, ...proof });
  if (result.case === "error") throw refusedToken(scheme, result.value);
  if (result.case !== "userInfo") throw new TypeError("GetUserInfoResponse.result is missing");
  const { subject, email } = result.value;
  // Nobody has an account without having entered a code that was sent to its address.
  return c.json({ sub: subject, ...(email === "" ? {} : { email, email_verified: true }) });
}

function presentedToken(c: AuthContext): { readonly scheme: TokenScheme; readonly accessToken: string } {
  const authorization = c.req.header("authorization") ?? "";
  const name = SCHEME.exec(authorization)?.[1]?.toLowerCase();
  if (name === undefined) throw missingToken();
  const scheme = name === "dpop" ? "DPoP" : "Bearer";
  const accessToken = CREDENTIALS.exec(authorization)?.[1];
  if (accessToken === undefined) {
    throw tokenError(scheme, "invalid_request", "the Authorization header is malformed", 400);
  }
  if (accessToken.length <= MAX_TOKEN_CHARACTERS) return { scheme, accessToken };
  throw tokenError(scheme, "invalid_token", "the access token is not valid", 401);
}

function missingToken(): OAuthAnswerError {
  return new OAuthAnswerError("invalid_token", "an access token is required: Authorization: Bearer or DPoP", {
    status: 401,
    headers: { "WWW-Authenticate": MISSING_TOKEN_CHALLENGE },
  });
}

/** Returns the error for a token that auth refuses. The challenge for a bound token that was sent as `Bearer` is that of DPoP. */
function refusedToken(scheme: TokenScheme, { error, errorDescription, dpopChallenge }: OAuthError): OAuthAnswerError {
  return tokenError(
    dpopChallenge ? "DPoP" : scheme,
    error,
    errorDescription,
    error === "insufficient_scope" ? 403 : 401,
  );
}

function tokenError(
  scheme: TokenScheme,
  error: string,
  description: string,
  status: 400 | 401 | 403,
): OAuthAnswerError {
  const headers = { "WWW-Authenticate": tokenChallenge(scheme, error, description) };
  return new OAuthAnswerError(error, description, { status, headers });
}
