import { type KeyObject, sign } from "node:crypto";
import type { JWTPayload } from "jose";
import { SIGNING_ALGORITHM } from "../../shared/jwt/signature-algorithm.ts";

export interface SignedHeader {
  readonly typ: string;
  readonly kid: string;
}

/**
 * Signs a JWT with ES256 (RFC 7518 section 3.4), in compact form (RFC 7515 section 7.1). It uses `node:crypto`, because
 * jose signs through WebCrypto, which passes each signature to another thread; that takes twice the time of the signature.
 */
export function signJwt(header: SignedHeader, claims: JWTPayload, privateKey: KeyObject): string {
  const input = `${base64url({ alg: SIGNING_ALGORITHM, ...header })}.${base64url(claims)}`;
  const signature = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${input}.${signature.toString("base64url")}`;
}

function base64url(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
