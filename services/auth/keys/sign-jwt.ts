import { type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import type { JWTPayload } from "jose";
import type { SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";
import { es256Signature } from "./es256-signature.ts";

const signInPool = promisify(sign);

export interface SignedHeader {
  readonly typ: string;
  readonly kid: string;
}

/**
 * Signs a JWT with ES256 (RFC 7518 section 3.4), in compact form (RFC 7515 section 7.1). It uses `node:crypto`, because
 * jose signs through WebCrypto, which passes each signature to another thread; that takes twice the time of the signature.
 */
export function signJwt(header: SignedHeader, claims: JWTPayload, privateKey: KeyObject): string {
  const input = signingInput("ES256", header, claims);
  return `${input}.${es256Signature(Buffer.from(input), privateKey).toString("base64url")}`;
}

/**
 * Signs a JWT with RS256 (RFC 7518 section 3.3), in a thread of the pool: an RSA signature takes ten times as long as one of
 * ES256, and would hold up the event loop.
 */
export async function signJwtWithRsa(header: SignedHeader, claims: JWTPayload, privateKey: KeyObject): Promise<string> {
  const input = signingInput("RS256", header, claims);
  const signature = await signInPool("sha256", Buffer.from(input), privateKey);
  return `${input}.${signature.toString("base64url")}`;
}

function signingInput(alg: SignatureAlgorithm, header: SignedHeader, claims: JWTPayload): string {
  return `${base64url({ alg, ...header })}.${base64url(claims)}`;
}

function base64url(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
