import { type CryptoKey, errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from "jose";
import { fitsAlgorithm, SIGNING_ALGORITHM, type SignatureAlgorithm } from "./signature-algorithm.ts";
import { CLOCK_TOLERANCE_S, hasExpired, isOutOfTime } from "./token-times.ts";

export interface SignedTokenRules {
  /**
   * The required `typ` of the header, which says what the token is for (RFC 8725 section 3.11). Undefined for issuers
   * that set `JWT` or nothing.
   */
  readonly type: string | undefined;
  /** The accepted algorithms. Only auth's by default. */
  readonly algorithms?: readonly SignatureAlgorithm[];
  readonly issuer: string;
  readonly audience: string;
  /** The public key of a `kid`. */
  readonly findKey: (keyId: string) => Promise<CryptoKey | undefined> | CryptoKey | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Called with the reason, in words, before a token is refused, and whether only its times are wrong. */
  readonly onRefused?: ((reason: string, isOutOfTime: boolean) => void) | undefined;
}

const MAX_TOKEN_CHARACTERS = 8_192;

/**
 * The claims of a JWT that is signed by its issuer and valid now. Undefined for any other. We choose the algorithm, type,
 * issuer and audience, never the token (RFC 8725 sections 3.1, 3.8 and 3.9).
 */
export async function verifySignedToken(token: string, rules: SignedTokenRules): Promise<JWTPayload | undefined> {
  const { type, algorithms = [SIGNING_ALGORITHM], issuer, audience, nowMs, onRefused } = rules;
  if (token.length > MAX_TOKEN_CHARACTERS) {
    onRefused?.(`longer than ${MAX_TOKEN_CHARACTERS} characters`, false);
    return undefined;
  }
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
    if (hasExpired(payload, nowMs)) throw new errors.JWTExpired("the token has expired", payload, "exp");
    return payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    onRefused?.(error.message, isOutOfTime(error));
    return undefined;
  }
}

async function keyOf({ kid, alg, typ }: JWTHeaderParameters, { type, findKey }: SignedTokenRules): Promise<CryptoKey> {
  const isUntyped = typ === undefined || (typeof typ === "string" && typ.toUpperCase() === "JWT");
  const key = typeof kid === "string" && (type !== undefined || isUntyped) ? await findKey(kid) : undefined;
  if (key === undefined || !fitsAlgorithm(key, alg)) throw new errors.JWKSNoMatchingKey();
  return key;
}
