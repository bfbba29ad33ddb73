import { type CryptoKey, errors, type JWTPayload, jwtVerify } from "jose";

export interface SignedTokenRules {
  /** `typ` of the header: what the token is for (RFC 8725 section 3.11). */
  readonly type: string;
  readonly issuer: string;
  readonly audience: string;
  /** The public key of a `kid`. */
  readonly findKey: (keyId: string) => Promise<CryptoKey | undefined> | CryptoKey | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** What auth signs with: ECDSA on P-256 with SHA-256 (RFC 7518 section 3.4). */
export const SIGNING_ALGORITHM = "ES256";

/** Between the clocks of two machines. */
const CLOCK_TOLERANCE_S = 5;
const MAX_TOKEN_CHARACTERS = 8_192;

/**
 * The claims of a JWT that auth has signed and that is good now; undefined for any other. Algorithm, type, issuer and
 * audience are ours to say, never the token's (RFC 8725 sections 3.1, 3.8 and 3.9).
 */
export async function verifySignedToken(token: string, rules: SignedTokenRules): Promise<JWTPayload | undefined> {
  if (token.length > MAX_TOKEN_CHARACTERS) return undefined;
  const keyOf = async ({ kid }: { readonly kid?: string }) => {
    const key = typeof kid === "string" ? await rules.findKey(kid) : undefined;
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: [SIGNING_ALGORITHM],
      typ: rules.type,
      issuer: rules.issuer,
      audience: rules.audience,
      requiredClaims: ["sub", "iat", "exp"],
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(rules.nowMs),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
