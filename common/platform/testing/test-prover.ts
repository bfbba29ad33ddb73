import { createHash, randomUUID } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from "jose";

/** An application's key for DPoP, and the proofs that it signs: those of RFC 9449 and wrong ones. */
export interface TestProver {
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
  /** RFC 7638. */
  readonly thumbprint: string;
  /** Signs a proof. `claims` and `header` replace the usual ones; undefined ones are left out. */
  prove(claims: ProofClaims, header?: Readonly<Record<string, unknown>>): Promise<string>;
}

export interface ProofClaims extends Readonly<Record<string, unknown>> {
  readonly htm: unknown;
  readonly htu: unknown;
  readonly iat: unknown;
}

export async function testProver(algorithm = "ES256", modulusLength = 2048): Promise<TestProver> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true, modulusLength });
  const publicJwk = await exportJWK(publicKey);
  return {
    publicJwk,
    privateJwk: await exportJWK(privateKey),
    thumbprint: await calculateJwkThumbprint(publicJwk),
    prove: (claims, header = {}) =>
      new SignJWT(defined({ jti: randomUUID(), ...claims }))
        .setProtectedHeader(
          defined({ alg: algorithm, typ: "dpop+jwt", jwk: publicJwk, ...header }) as JWTHeaderParameters,
        )
        .sign(privateKey),
  };
}

/** The `ath` of an access token (RFC 9449 section 4.2). */
export function tokenHash(accessToken: string): string {
  return createHash("sha256").update(accessToken, "ascii").digest("base64url");
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
