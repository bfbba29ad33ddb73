import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from "jose";

export const ISSUER = "https://auth.example";
/** 2026-01-31T12:00:00Z, in seconds since 1970. */
export const NOW_S = Date.UTC(2026, 0, 31, 12) / 1_000;

/** Signs tokens, both as auth does and as it never would. */
export interface TestIssuer {
  readonly jwk: JWK;
  jwks(): Promise<{ readonly keys: readonly JWK[] }>;
  /** Signs a token. `header` and `claims` replace the usual ones; undefined ones are left out. */
  sign(claims: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): Promise<string>;
}

/** @param type `typ` of the tokens, unless a header replaces it */
export async function testIssuer(type: string, keyId = "one"): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: keyId, use: "sig", alg: "ES256" };
  const standard = { iss: ISSUER, iat: NOW_S, exp: NOW_S + 120 };
  return {
    jwk,
    jwks: async () => ({ keys: [jwk] }),
    sign: (claims, header = {}) =>
      new SignJWT(defined({ ...standard, ...claims }))
        .setProtectedHeader(defined({ alg: "ES256", typ: type, kid: keyId, ...header }) as JWTHeaderParameters)
        .sign(privateKey),
  };
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
