import type { DpopProof } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import { verifyProof } from "./dpop-proof.ts";
import { NONCE_LIFETIME_MS } from "./nonces.ts";
import { ProofError } from "./proof-key.ts";

/** A proof whose content was verified, and which was not yet used. */
export interface PresentedProof {
  /** The thumbprint of its key (RFC 7638), 43 characters of base64url. */
  readonly keyThumbprint: string;
  /** `jti`. */
  readonly proofId: string;
  /** The HTTP request that it came with. */
  readonly requestId: string;
}

/**
 * Verifies the proof of a request.
 *
 * @param accessToken the token that the request presents; absent at endpoints that take none
 * @throws OAuthError `invalid_dpop_proof`, `use_dpop_nonce`
 */
export function presentedProof(
  { dpopNonces }: Pick<AuthContext, "dpopNonces">,
  { proof, method, uri, requestId }: DpopProof,
  accessToken?: string,
): PresentedProof {
  const isNonce = (nonce: string) => dpopNonces.accepts(nonce);
  try {
    return { ...verifyProof(proof, { method, uri, accessToken, age: { isNonce } }), requestId };
  } catch (error) {
    if (error instanceof ProofError) throw new OAuthError(error.code, error.message);
    throw error;
  }
}

/**
 * Uses a proof, which is possible once, whichever process is asked (RFC 9449 section 11.1). Its `jti` is kept for at least as long
 * as its nonce is accepted, whatever its `iat`.
 *
 * @throws OAuthError `invalid_dpop_proof` for a proof that was used by another request
 * @throws ServiceError `unavailable`
 */
export async function useProof(
  { clock, usedJwtIds }: Pick<AuthContext, "clock" | "usedJwtIds">,
  { keyThumbprint: owner, proofId: jwtId, requestId }: PresentedProof,
): Promise<void> {
  const expiresAtMs = clock() + NONCE_LIFETIME_MS;
  if (await usedJwtIds.use({ purpose: "dpop_proof", owner, jwtId, expiresAtMs, requestId })) return;
  throw new OAuthError("invalid_dpop_proof", "jti was used before: every request needs a new proof");
}
