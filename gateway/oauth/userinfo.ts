import type { AuthDependencies } from "../web/auth/auth-dependencies.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { OAuthAnswerError } from "./oauth-error.ts";

/** Bound of `access_token` by the contract. */
const MAX_TOKEN_CHARACTERS = 8192;
/** `b64token` of RFC 6750 section 2.1. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** `/oauth/userinfo`: the claims that the access token in `Authorization` allows. */
export async function userInfo(c: AuthContext, { clients }: AuthDependencies): Promise<Response> {
  const { result } = await clients.authorization.getUserInfo({ accessToken: bearerToken(c) });
  if (result.case === "error") {
    const { error, errorDescription } = result.value;
    throw bearerError(error, errorDescription, error === "insufficient_scope" ? 403 : 401);
  }
  if (result.case !== "userInfo") throw new TypeError("GetUserInfoResponse.result is missing");
  const { subject, email } = result.value;
  return c.json({ sub: subject, ...(email === "" ? {} : { email }) });
}

function bearerToken(c: AuthContext): string {
  const authorization = c.req.header("authorization");
  if (authorization === undefined || !/^bearer\b/i.test(authorization)) throw missingToken();
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw bearerError("invalid_request", "the Authorization header is malformed", 400);
  if (token.length <= MAX_TOKEN_CHARACTERS) return token;
  throw bearerError("invalid_token", "the access token is not valid", 401);
}

/** Returns the error for a request without a token, whose challenge names no error (RFC 6750 section 3.1). */
function missingToken(): OAuthAnswerError {
  return new OAuthAnswerError("invalid_token", "an access token is required: Authorization: Bearer", {
    status: 401,
    headers: { "WWW-Authenticate": 'Bearer realm="tidemark"' },
  });
}

function bearerError(error: string, description: string, status: 400 | 401 | 403): OAuthAnswerError {
  const challenge = `Bearer realm="tidemark", error="${error}", error_description="${description}"`;
  return new OAuthAnswerError(error, description, { status, headers: { "WWW-Authenticate": challenge } });
}
