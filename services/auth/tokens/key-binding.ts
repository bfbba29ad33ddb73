import { OAuthError } from "../base/oauth-error.ts";
import type { PresentedProof } from "../dpop/presented-proof.ts";
import type { TokenHolder } from "./token-holder.ts";

type ProofKey = Pick<PresentedProof, "keyThumbprint">;

/**
 * Checks the key of a token request (RFC 9449 sections 5 and 10).
 *
 * @param required the thumbprint that the code or refresh token is bound to; undefined for any key, or none
 * @throws OAuthError `invalid_grant` for another key, or none; `invalid_request` without a proof where the client demands one
 */
export function requireKey(
  proof: ProofKey | undefined,
  required: string | undefined,
  { clientDemandsDpop }: Pick<TokenHolder, "clientDemandsDpop">,
): void {
  if (required !== undefined && proof?.keyThumbprint !== required) {
    throw new OAuthError("invalid_grant", "the DPoP proof must be made with the key that this is bound to");
  }
  if (proof === undefined && clientDemandsDpop) {
    throw new OAuthError("invalid_request", "the client requires DPoP: send a proof to the token endpoint");
  }
}

/**
 * The key that the refresh tokens of a family are bound to: that of a public client's proof. Those of confidential clients aren't
 * bound, since these authenticate, and may change their keys (RFC 9449 section 5).
 */
export function familyKey(
  proof: ProofKey | undefined,
  { clientIsConfidential }: Pick<TokenHolder, "clientIsConfidential">,
): string | undefined {
  return clientIsConfidential ? undefined : proof?.keyThumbprint;
}
