import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from "jose";

export const SERVICE_ISSUER = "https://kubernetes.default.svc.cluster.local";

/** Signs tokens for services, both as a cluster does and as it never would. */
export interface ServiceIssuer {
  readonly jwk: JWK;
  /** Signs a token for one hour from now. `claims` and `header` replace the usual ones; undefined ones are left out. */
  sign(claims: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): Promise<string>;
}

export async function serviceIssuer(keyId = "one", algorithm: "RS256" | "ES256" = "RS256"): Promise<ServiceIssuer> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm);
  return {
    jwk: { ...(await exportJWK(publicKey)), kid: keyId, use: "sig", alg: algorithm },
    sign: (claims, header = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const standard = { iss: SERVICE_ISSUER, iat: now, nbf: now, exp: now + 3_600 };
      return new SignJWT(defined({ ...standard, ...claims }))
        .setProtectedHeader(defined({ alg: algorithm, kid: keyId, ...header }) as JWTHeaderParameters)
        .sign(privateKey);
    },
  };
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
