import type { AuthenticationMethod } from "../base/authentication-method.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { PresentedProof } from "../dpop/presented-proof.ts";
import { requireDemandedProof, requireKey } from "./key-binding.ts";
import { verifiesChallenge } from "./pkce.ts";
import type { TokenHolder } from "./token-holder.ts";
import { effectiveScopes, sufficesFor } from "./token-holder.ts";
import type { CodeExchange } from "./token-parameters.ts";

/** An issued authorization code. */
export interface IssuedCode {
  readonly holder: TokenHolder;
  /** The family of the tokens that the code is exchanged for. */
  readonly familyUuid: string;
  readonly redirectUri: string;
  /** The granted scopes, whatever has changed since. */
  readonly scopes: readonly string[];
  readonly codeChallenge: string;
  /** The `nonce` of the ID token. */
  readonly nonce: string | undefined;
  /** The thumbprint of the key that must exchange it (`dpop_jkt`); undefined for any, or none. */
  readonly keyThumbprint: string | undefined;
  /** The client's token generation when the code was issued. */
  readonly tokenGeneration: bigint;
  readonly authenticatedAtMs: bigint;
  readonly authenticatedBy: AuthenticationMethod;
  /** Whether ID tokens say when the user signed in (`auth_time`): the request had `max_age`. */
  readonly idTokenSaysWhen: boolean;
  readonly expiresAtMs: bigint;
  readonly redeemed: boolean;
}

/**
 * Decides an exchange. Verifier and key are checked before a replay is recognised, so that a thief without them can
 * neither use a code up nor revoke its tokens (RFC 9700 section 4.5.3.1).
 *
 * @param proof that of the request, whose signature was verified; absent for a request without one
 * @throws OAuthError `invalid_grant`, `invalid_request`; nothing changes then.
 */
export function judgeExchange(
  exchange: CodeExchange,
  code: IssuedCode,
  nowMs: bigint,
  proof?: PresentedProof,
): "redeem" | "replay" {
  const { clientUuid = code.holder.clientUuid, redirectUri = code.redirectUri } = exchange;
  if (clientUuid !== code.holder.clientUuid) throw invalidGrant("code was issued to another client");
  if (redirectUri !== code.redirectUri) throw invalidGrant("redirect_uri must be that of the authorization request");
  if (!verifiesChallenge(exchange.codeVerifier, code.codeChallenge)) {
    throw invalidGrant("code_verifier is not that of the code_challenge");
  }
  requireKey(proof, code.keyThumbprint);
  if (code.redeemed) return "replay";
  requireDemandedProof(proof, code.holder);
  if (nowMs >= code.expiresAtMs) throw unknownCode();
  if (!code.holder.clientIsValid) throw invalidGrant("the client is disabled, or its tokens were revoked");
  if (!sufficesFor(code.holder, effectiveScopes(code.scopes, code.holder))) {
    throw invalidGrant("the user hasn't granted what the client requires now");
  }
  return "redeem";
}

export function unknownCode(): OAuthError {
  return invalidGrant("code is unknown, expired or revoked");
}

/** The error for a code that was redeemed before. */
export function replayedCode(): OAuthError {
  return invalidGrant("code was redeemed before: all tokens that came from it are revoked");
}

function invalidGrant(description: string): OAuthError {
  return new OAuthError("invalid_grant", description);
}
