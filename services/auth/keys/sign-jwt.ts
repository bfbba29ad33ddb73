import { type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import type { JWTPayload } from "jose";
import type { SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";

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

/** The bytes of r, and of s. */
const INTEGER_BYTES = 32;

/**
 * The signature of ES256: r and s, of 32 bytes each (RFC 7518 section 3.4). OpenSSL's own form is DER; to have this one of Node
 * instead (`dsaEncoding`) takes as long as the signature itself.
 */
export function es256Signature(input: Buffer, privateKey: KeyObject): Buffer {
  return integersOfDer(sign("sha256", input, privateKey));
}

/** @param der a sequence of two integers (RFC 3279 section 2.2.3), which for P-256 has lengths of one byte. */
export function integersOfDer(der: Buffer): Buffer {
  const sequence = der.subarray(2);
  const first = contentOf(sequence);
  const second = contentOf(sequence.subarray(2 + first.length));
  return Buffer.concat([fixedLength(first), fixedLength(second)]);
}

function contentOf(element: Buffer): Buffer {
  return element.subarray(2, 2 + (element[1] ?? 0));
}

/** Takes the zero away that keeps a high first bit from meaning a sign, and adds those that DER leaves out. */
function fixedLength(integer: Buffer): Buffer {
  const digits = integer.subarray(-INTEGER_BYTES);
  return Buffer.concat([Buffer.alloc(INTEGER_BYTES - digits.length), digits]);
}
