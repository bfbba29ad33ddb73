import { randomUUID } from "node:crypto";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from "jose";
import type { PublicJwk } from "../applications/definition/public-jwk.ts";
import { ISSUER } from "./test-auth-config.ts";

/** A key pair of a confidential client. */
export interface ClientKeyPair {
  readonly privateKey: CryptoKey;
  /** The public key, such as a founder uploads. */
  readonly publicJwk: PublicJwk;
}

/** Generates a key pair. @param algorithm an algorithm of JWTs, such as `ES256` */
export async function clientKeyPair(algorithm = "ES256", kid: string = randomUUID()): Promise<ClientKeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, use: "sig" } as PublicJwk };
}

export interface AssertionChanges {
  /** Members of the header to change; undefined omits one. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** Claims to change; undefined omits one. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Signs a valid assertion, with some of its members changed. @param nowMs its `iat` */
export function signedAssertion(
  { privateKey, publicJwk }: ClientKeyPair,
  clientUuid: string,
  nowMs: bigint,
  { header = {}, claims = {} }: AssertionChanges = {},
): Promise<string> {
  const now = Number(nowMs / 1_000n);
  const standard = { iss: clientUuid, sub: clientUuid, aud: ISSUER, jti: randomUUID(), iat: now, exp: now + 60 };
  const protectedHeader = { alg: "ES256", kid: publicJwk.kid, ...header };
  return new SignJWT({ ...standard, ...claims })
    .setProtectedHeader(protectedHeader as unknown as JWTHeaderParameters)
    .sign(privateKey);
}
