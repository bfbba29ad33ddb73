import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AccessTokenClaims } from "../base/access-token-claims.ts";
import { PROOF_CLOCK_TOLERANCE_S, verifyProof } from "../dpop/dpop-proof.ts";
import { ProofError } from "../dpop/proof-key.ts";

/** The request that an access token came with, for the proof of its key (RFC 9449 section 7). */
export interface ProvedRequest {
  readonly method: string;
  /** The URI as applications know it, from the configuration and never by the `Host` header. */
  readonly uri: string;
  /** The value of the `DPoP` header; several are joined by commas. */
  readonly dpop: string | undefined;
}

/** A proof that must not be used again. */
export interface UsedProof {
  readonly keyThumbprint: string;
  /** `jti`, which is unique for its key. */
  readonly proofId: string;
  /** The time until which it must be remembered, in milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** Remembers a proof. @returns false if it is remembered already, whichever process has seen it */
export type RememberProof = (proof: UsedProof) => Promise<boolean>;

/** An access token in its header, and whether it was sent as `DPoP`. */
export interface PresentedToken {
  readonly token: string;
  readonly isProved: boolean;
}

/** @throws ServiceError `unauthenticated` */
export function presentedToken(authorization: string | undefined): PresentedToken {
  const [, scheme = "", token] = /^(Bearer|DPoP) +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "") ?? [];
  if (token !== undefined) return { token, isProved: scheme.toLowerCase() === "dpop" };
  throw new ServiceError("unauthenticated", "an access token is required: authorization: Bearer <token>");
}

/**
 * Checks that a token that is bound to a key was sent as `DPoP` with a proof of that key, and any other one as `Bearer`.
 *
 * @throws ServiceError `unauthenticated`
 */
export async function checkPresentation(
  { token, isProved }: PresentedToken,
  { keyThumbprint }: AccessTokenClaims,
  request: ProvedRequest | undefined,
  { remember, nowMs }: { readonly remember: RememberProof | undefined; readonly nowMs: number },
): Promise<void> {
  if (keyThumbprint === undefined && !isProved) return;
  if (keyThumbprint === undefined) throw refused("the access token is not bound to a key: send it as Bearer");
  if (!isProved || request === undefined || remember === undefined) {
    throw refused("the access token is bound to a key, and must come as DPoP with a proof");
  }
  const proof = verifiedProof(token, request, nowMs);
  if (proof.keyThumbprint !== keyThumbprint) throw refused("the access token is bound to another key");
  const expiresAtMs = nowMs + 2_000 * PROOF_CLOCK_TOLERANCE_S;
  if (!(await remember({ ...proof, expiresAtMs }))) throw refused("the proof was used before");
}

function verifiedProof(accessToken: string, { method, uri, dpop = "" }: ProvedRequest, nowMs: number) {
  try {
    return verifyProof(dpop, { method, uri, accessToken, age: { nowMs: BigInt(nowMs) } });
  } catch (error) {
    if (error instanceof ProofError) throw refused(error.message);
    throw error;
  }
}

function refused(message: string): ServiceError {
  return new ServiceError("unauthenticated", message);
}
