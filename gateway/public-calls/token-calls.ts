import type { AuthContext } from "../web/http/hono-context.ts";
import type { JsonObject } from "../web/http/json-body.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { hasProof } from "../web/sessions/dpop-requests.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import type { CallDependencies } from "./call.ts";
import { callBody, textField } from "./call-body.ts";
import { CallError } from "./call-error.ts";

/** Bound of a parameter's value by the contract, in characters. */
const MAX_PARAMETER_CHARACTERS = 8192;

/**
 * `/oauth.ExchangeAuthorizationCodeV2`: exchanges a code as the token endpoint does; the code and its verifier tell the client.
 * An `Authorization` header is ignored.
 */
export async function exchangeCode(c: AuthContext, dependencies: CallDependencies): Promise<JsonObject> {
  const parameters = fields(await callBody(c), ["code", "code_verifier", "redirect_uri"]);
  return issueTokens(c, dependencies, [{ name: "grant_type", value: "authorization_code" }, ...parameters]);
}

/**
 * `/oauth.RefreshAccessToken`: refreshes as the token endpoint does; the refresh token tells the client. The `Authorization`
 * header is ignored, since clients send their old access token in it.
 */
export async function refreshTokens(c: AuthContext, dependencies: CallDependencies): Promise<JsonObject> {
  const parameters = fields(await callBody(c), ["refresh_token"]);
  return issueTokens(c, dependencies, [{ name: "grant_type", value: "refresh_token" }, ...parameters]);
}

type Parameters = readonly { readonly name: string; readonly value: string }[];

function fields(body: JsonObject, names: readonly string[]): Parameters {
  return names.map((name) => ({ name, value: textField(body, name, MAX_PARAMETER_CHARACTERS) }));
}

/**
 * Issues bearer tokens. Applications that use DPoP call the token endpoint.
 *
 * @throws CallError `invalid_argument` with OAuth's code in its details; never `unauthenticated`
 */
async function issueTokens(c: AuthContext, deps: CallDependencies, parameters: Parameters): Promise<JsonObject> {
  if (hasProof(c)) throw tokenError("invalid_dpop_proof", `DPoP is for ${AUTH_PATHS.token} only`);
  const request = { parameters: [...parameters], peer: peerOf(c, deps), clientOptional: true };
  const result = await deps.tokenRequests.issue(request);
  if (result.case === "tokens") {
    const { accessToken, refreshToken, expiresInSeconds } = result.value;
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: "Bearer",
      expires_in: expiresInSeconds,
    };
  }
  if (result.case !== "error") throw new TypeError("IssueTokensResponse.result is missing");
  const { error, errorDescription } = result.value;
  throw tokenError(error, errorDescription);
}

function tokenError(error: string, description: string): CallError {
  return new CallError("invalid_argument", description, { details: { error } });
}
