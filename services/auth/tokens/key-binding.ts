import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { PresentedProof } from "../dpop/presented-proof.ts";
import type { TokenHolder } from "./token-holder.ts";

type ProofKey = Pick<PresentedProof, "keyThumbprint">;

/**
 * Checks the key of a token request (RFC 9449 sections 5 and 10).
 *
 * @param required the thumbprint that the code or refresh token is bound to; undefined for any key, or none
 * @throws OAuthError `invalid_grant` for another key, or none
 */
export function requireKey(proof: ProofKey | undefined, required: string | undefined): void {
  if (required === undefined || proof?.keyThumbprint === required) return;
  throw new OAuthError("invalid_grant", "the DPoP proof must be made with the key that this is bound to");
}

/** Checks that a token request has a proof if its client demands one. @throws OAuthError `invalid_request` */
export function requireDemandedProof(
  proof: ProofKey | undefined,
  { clientDemandsDpop }: Pick<TokenHolder, "clientDemandsDpop">,
): void {
  if (proof !== undefined || !clientDemandsDpop) return;
  throw new OAuthError("invalid_request", "the client requires DPoP: send a proof to the token endpoint");
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
