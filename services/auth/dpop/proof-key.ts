import { constants, createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import { PROOF_ALGORITHMS, type ProofAlgorithm } from "../../../common/platform/jwt/proof-algorithms.ts";

/** The public key of a proof. */
export interface ProofKey {
  readonly algorithm: ProofAlgorithm;
  readonly key: KeyObject;
  /** The SHA-256 thumbprint (RFC 7638), 43 characters of base64url. */
  readonly thumbprint: string;
}

type Jwk = Readonly<Record<string, unknown>>;

/** The members of private and symmetric keys (RFC 7518 sections 6.2.2, 6.3.2 and 6.4). */
const SECRET_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
const COORDINATE_BYTES = 32;
/** Moduli of 2,048 to 4,096 bits: shorter ones are weak, and longer ones take long to verify. */
const MODULUS_BYTES = { min: 256, max: 512 };
/** 65537, the exponent of all usual keys. A larger one would make verification slow. */
const EXPONENT = "AQAB";
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** Imported keys by thumbprint: an application signs all of its proofs with one key, and importing takes as long as verifying. */
const imported = new LRUCache<string, KeyObject>(atMost(1_000));

/**
 * Reads the header parameters `alg` and `jwk` of a proof.
 *
 * @throws ProofError for another algorithm, a private or symmetric key, and a key that doesn't fit the algorithm.
 */
export function readProofKey(alg: unknown, jwk: unknown): ProofKey {
  const algorithm = PROOF_ALGORITHMS.find((name) => name === alg);
  if (algorithm === undefined) throw invalidProof(`alg must be one of ${PROOF_ALGORITHMS.join(", ")}`);
  if (typeof jwk !== "object" || jwk === null || Array.isArray(jwk)) throw invalidProof("jwk must be a public key");
  const members: Jwk = { ...jwk };
  if (SECRET_MEMBERS.some((name) => name in members)) throw invalidProof("jwk must have no private or symmetric part");
  const canonical = JSON.stringify(requiredMembers(algorithm, members));
  const thumbprint = createHash("sha256").update(canonical).digest("base64url");
  return { algorithm, thumbprint, key: imported.get(thumbprint) ?? importKey(thumbprint, canonical) };
}

/** Whether a signature is that of the key. */
export function verifiesSignature({ algorithm, key }: ProofKey, input: Buffer, signature: Buffer): boolean {
  switch (algorithm) {
    case "ES256":
      return verify("sha256", input, { key, dsaEncoding: "ieee-p1363" }, signature);
    case "RS256":
      return verify("sha256", input, key, signature);
    case "PS256":
      return verify("sha256", input, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, signature);
    case "EdDSA":
    case "Ed25519":
      return verify(null, input, key, signature);
  }
}

/** The members that make up the thumbprint, in its order (RFC 7638 section 3.2). */
function requiredMembers(algorithm: ProofAlgorithm, jwk: Jwk): Readonly<Record<string, string>> {
  switch (algorithm) {
    case "ES256":
      requireType(jwk, "EC", "P-256");
      return { crv: "P-256", kty: "EC", x: coordinate(jwk, "x"), y: coordinate(jwk, "y") };
    case "RS256":
    case "PS256":
      requireType(jwk, "RSA");
      return { e: exponent(jwk), kty: "RSA", n: modulus(jwk) };
    case "EdDSA":
    case "Ed25519":
      requireType(jwk, "OKP", "Ed25519");
      return { crv: "Ed25519", kty: "OKP", x: coordinate(jwk, "x") };
  }
}

function requireType(jwk: Jwk, type: string, curve?: string): void {
  if (jwk["kty"] === type && (curve === undefined || jwk["crv"] === curve)) return;
  throw invalidProof("jwk must be a key for alg");
}

function coordinate(jwk: Jwk, name: "x" | "y"): string {
  const { text, bytes } = octets(jwk, name);
  if (bytes.length !== COORDINATE_BYTES) throw invalidProof(`${name} of jwk must have ${COORDINATE_BYTES} bytes`);
  return text;
}

function modulus(jwk: Jwk): string {
  const { text, bytes } = octets(jwk, "n");
  const { min, max } = MODULUS_BYTES;
  if (bytes[0] !== 0 && bytes.length >= min && bytes.length <= max) return text;
  throw invalidProof(`n of jwk must have ${min * 8} to ${max * 8} bits`);
}

function exponent(jwk: Jwk): string {
  if (jwk["e"] === EXPONENT) return EXPONENT;
  throw invalidProof("e of jwk must be 65537 (AQAB)");
}

/** Decodes a member. There is one way to write each, so that a key has one thumbprint. */
function octets(jwk: Jwk, name: string): { readonly text: string; readonly bytes: Buffer } {
  const text = jwk[name];
  if (typeof text === "string" && BASE64URL.test(text)) {
    const bytes = Buffer.from(text, "base64url");
    if (bytes.toString("base64url") === text) return { text, bytes };
  }
  throw invalidProof(`${name} of jwk must be base64url`);
}

/** @throws ProofError for members that make no key, such as a point that isn't on the curve. */
function importKey(thumbprint: string, canonical: string): KeyObject {
  try {
    const key = createPublicKey({ key: JSON.parse(canonical), format: "jwk" });
    imported.set(thumbprint, key);
    return key;
  } catch {
    throw invalidProof("jwk is no valid key");
  }
}

/** The error codes for proofs (RFC 9449 sections 5, 7.1 and 8). */
type ProofErrorCode = "invalid_dpop_proof" | "use_dpop_nonce";

/** A proof that is refused. */
export class ProofError extends Error {
  readonly code: ProofErrorCode;

  /** @param description names the rule; printable ASCII without `"` and `\`, and never a value that was sent. */
  constructor(code: ProofErrorCode, description: string) {
    super(description);
    this.name = "ProofError";
    this.code = code;
  }
}

export function invalidProof(description: string): ProofError {
  return new ProofError("invalid_dpop_proof", description);
}
