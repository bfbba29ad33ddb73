import { type CryptoKey, errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from "jose";
import { fitsAlgorithm, SIGNING_ALGORITHM, type SignatureAlgorithm } from "./signature-algorithm.ts";

export interface SignedTokenRules {
  /**
   * `typ` of the header: what the token is for (RFC 8725 section 3.11). Undefined for those of issuers that don't say
   * more than `JWT`, or nothing.
   */
  readonly type: string | undefined;
  /** Those that are accepted; that of auth by default. */
  readonly algorithms?: readonly SignatureAlgorithm[];
  readonly issuer: string;
  readonly audience: string;
  /** The public key of a `kid`. */
  readonly findKey: (keyId: string) => Promise<CryptoKey | undefined> | CryptoKey | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Between the clocks of two machines. */
const CLOCK_TOLERANCE_S = 5;
const MAX_TOKEN_CHARACTERS = 8_192;

/**
 * The claims of a JWT that its issuer has signed and that is good now; undefined for any other. Algorithm, type, issuer
 * and audience are ours to say, never the token's (RFC 8725 sections 3.1, 3.8 and 3.9).
 */
export async function verifySignedToken(token: string, rules: SignedTokenRules): Promise<JWTPayload | undefined> {
  if (token.length > MAX_TOKEN_CHARACTERS) return undefined;
  const { type, algorithms = [SIGNING_ALGORITHM], issuer, audience, nowMs } = rules;
  try {
    const { payload } = await jwtVerify(token, (header) => keyOf(header, rules), {
      algorithms: [...algorithms],
      ...(type === undefined ? {} : { typ: type }),
      issuer,
      audience,
      requiredClaims: ["sub", "iat", "exp"],
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(nowMs),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

async function keyOf({ kid, alg, typ }: JWTHeaderParameters, { type, findKey }: SignedTokenRules): Promise<CryptoKey> {
  const isPlain = typ === undefined || (typeof typ === "string" && typ.toUpperCase() === "JWT");
  const key = typeof kid === "string" && (type !== undefined || isPlain) ? await findKey(kid) : undefined;
  if (key === undefined || !fitsAlgorithm(key, alg)) throw new errors.JWKSNoMatchingKey();
  return key;
}
