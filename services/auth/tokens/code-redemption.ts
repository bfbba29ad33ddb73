import { OAuthError } from "../base/oauth-error.ts";
import { verifiesChallenge } from "./pkce.ts";
import type { TokenHolder } from "./token-holder.ts";
import type { CodeExchange } from "./token-parameters.ts";

/** How long a code may be redeemed (RFC 6749 section 4.1.2 wants ten minutes at most). */
export const CODE_LIFETIME_MS = 60_000n;

/** An authorization code that was issued. */
export interface IssuedCode {
  readonly holder: TokenHolder;
  /** What its tokens belong to. */
  readonly familyUuid: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly codeChallenge: string;
  /** Of the client when the code was issued. */
  readonly tokenGeneration: bigint;
  readonly authenticatedAtMs: bigint;
  readonly expiresAtMs: bigint;
  readonly redeemed: boolean;
}

/**
 * What an exchange comes to. Only whoever knows the verifier gets as far as a replay: a stolen code can neither be
 * used up nor end what was issued (RFC 9700 section 4.5.3.1).
 *
 * @throws OAuthError `invalid_grant`, which changes nothing.
 */
export function judgeExchange(exchange: CodeExchange, code: IssuedCode, nowMs: bigint): "redeem" | "replay" {
  const { clientUuid = code.holder.clientUuid, redirectUri = code.redirectUri } = exchange;
  if (clientUuid !== code.holder.clientUuid) throw refusal("code was issued to another client");
  if (redirectUri !== code.redirectUri) throw refusal("redirect_uri must be that of the authorization request");
  if (!verifiesChallenge(exchange.codeVerifier, code.codeChallenge)) {
    throw refusal("code_verifier is not that of the code_challenge");
  }
  if (code.redeemed) return "replay";
  if (nowMs >= code.expiresAtMs) throw unknownCode();
  if (!code.holder.clientIsValid) throw refusal("the client is disabled, or its tokens were revoked");
  return "redeem";
}

export function unknownCode(): OAuthError {
  return refusal("code is unknown, expired or revoked");
}

/** The answer to a code that was redeemed before. */
export function replayedCode(): OAuthError {
  return refusal("code was redeemed before: all tokens that came from it are revoked");
}

function refusal(description: string): OAuthError {
  return new OAuthError("invalid_grant", description);
}
