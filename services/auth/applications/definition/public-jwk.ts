import { createHash, createPublicKey } from "node:crypto";
import type { Violation } from "../../../../common/platform/errors/service-error.ts";
import { isBase64urlOf32Bytes } from "../../base/base64url.ts";

/** A public key of an application, with which it signs its assertions (RFC 7517; RFC 8037 for Ed25519). */
export type PublicJwk = KeyMembers & {
  /** Names the key among those of the application. */
  readonly kid: string;
  /** The only algorithm of its signatures; absent if any that fits the key is taken. */
  readonly alg?: string;
  readonly use: "sig";
};

type KeyMembers =
  | { readonly kty: "EC"; readonly crv: "P-256"; readonly x: string; readonly y: string }
  | { readonly kty: "RSA"; readonly n: string; readonly e: string }
  | { readonly kty: "OKP"; readonly crv: "Ed25519"; readonly x: string };

type Members = Readonly<Record<string, unknown>>;

const MAX_KEYS = 8;
const MAX_KID_CHARACTERS = 128;
/** Members that only private and symmetric keys have (RFC 7518 section 6). */
const SECRET_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];
const PRIVATE_PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** Sizes of an RSA modulus in bits. Checking a signature of a larger one would cost too much. */
const RSA_BITS = { min: 2_048, max: 4_096 };
const USUAL_EXPONENT = "AQAB";
const KID = /^[\x21-\x7e]+$/;
const ALGORITHMS = { EC: ["ES256"], RSA: ["RS256", "PS256"], OKP: ["EdDSA", "Ed25519"] } as const;

/** Returns the SHA-256 thumbprint of a key (RFC 7638), base64url. */
export function jwkThumbprint(key: PublicJwk): string {
  const members = Object.entries(membersOf(key) ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify(Object.fromEntries(members)))
    .digest("base64url");
}

/** Whether an object is a private or symmetric key. */
function isSecret(key: Members): boolean {
  return key["kty"] === "oct" || SECRET_MEMBERS.some((name) => name in key);
}

interface Rule {
  readonly rule: string;
  readonly message: string;
  isBroken(key: Members): boolean;
}

const NOT_SECRET: Rule = {
  rule: "jwk.private",
  message: "has private parts: upload public keys only, and replace this key, as it has left its server",
  isBroken: isSecret,
};

/** The rules of a key, in order. Only the first broken one is reported. */
const RULES: readonly Rule[] = [
  NOT_SECRET,
  {
    rule: "jwk.kid",
    message: `must have a kid of 1 to ${MAX_KID_CHARACTERS} visible ASCII characters`,
    isBroken: ({ kid }) => typeof kid !== "string" || kid.length > MAX_KID_CHARACTERS || !KID.test(kid),
  },
  {
    rule: "jwk.type",
    message: "must be of one of these types: EC with P-256, RSA, or OKP with Ed25519",
    isBroken: (key) => membersOf(key) === undefined,
  },
  {
    rule: "jwk.use",
    message: 'must be for signatures: use "sig" and key_ops ["verify"], where they are there',
    isBroken: ({ use = "sig", key_ops = ["verify"] }) =>
      use !== "sig" || !Array.isArray(key_ops) || key_ops.join() !== "verify",
  },
  {
    rule: "jwk.alg",
    message: "must have an alg that fits its type: ES256, RS256, PS256, EdDSA or Ed25519, or none",
    isBroken: ({ kty, alg }) => alg !== undefined && !algorithmsOf(kty).includes(alg),
  },
  {
    rule: "jwk.size",
    message: `must be an RSA key of ${RSA_BITS.min} to ${RSA_BITS.max} bits with the exponent ${USUAL_EXPONENT}`,
    isBroken: ({ kty, n, e }) => kty === "RSA" && (!isRsaSize(modulusBits(String(n))) || e !== USUAL_EXPONENT),
  },
  {
    rule: "jwk.invalid",
    message: "isn't a key: its numbers are malformed or no point of its curve",
    isBroken: (key) => !isKey(key),
  },
];

/** Keys that were read from text, or the reasons why they can't be taken. */
export interface ReadJwks {
  readonly jwks: readonly PublicJwk[];
  readonly violations: readonly Violation[];
}

/**
 * Reads a JWK set (RFC 7517 section 5) of public keys. Members that no check of a signature needs, such as certificates, are
 * dropped.
 *
 * @param text empty for no keys
 * @param field the name of the set in violations
 */
export function readJwks(text: string, field: string): ReadJwks {
  if (text.trim() === "") return { jwks: [], violations: [] };
  const parsed = parsedObject(text);
  // A file with the private key alone, a JWK or PEM (RFC 7468 section 10), is what is uploaded by mistake most easily.
  if (parsed === undefined ? PRIVATE_PEM.test(text) : isSecret(parsed)) {
    return refused({ field, rule: NOT_SECRET.rule, message: NOT_SECRET.message });
  }
  const keys = keysOf(parsed);
  if (keys === undefined) {
    return refused({ field, rule: "jwks.format", message: 'must be a JWK set: {"keys": [ … ]}, each key an object' });
  }
  if (keys.length > MAX_KEYS)
    return refused({ field, rule: "jwks.count", message: `must be at most ${MAX_KEYS} keys` });
  const violations = keys.flatMap((key, index) => violationsOf(key, index, { keys, field }));
  return violations.length > 0 ? { jwks: [], violations } : { jwks: keys.map(publicJwk), violations };
}

function refused(violation: Violation): ReadJwks {
  return { jwks: [], violations: [violation] };
}

function keysOf(set: Members | undefined): readonly Members[] | undefined {
  const keys = set?.["keys"];
  return Array.isArray(keys) && keys.every(isObject) ? keys : undefined;
}

function parsedObject(text: string): Members | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function violationsOf(
  key: Members,
  index: number,
  { keys, field }: { readonly keys: readonly Members[]; readonly field: string },
): readonly Violation[] {
  const broken = RULES.find(({ isBroken }) => isBroken(key)) ?? doubledKid(key, keys.slice(0, index));
  return broken === undefined ? [] : [{ field: `${field}.keys[${index}]`, rule: broken.rule, message: broken.message }];
}

function doubledKid({ kid }: Members, earlier: readonly Members[]): Pick<Rule, "rule" | "message"> | undefined {
  if (!earlier.some((other) => other["kid"] === kid)) return undefined;
  return { rule: "jwk.kid_doubled", message: "has the kid of another key" };
}

/** The members that make a key of a known type; undefined for other types. */
function membersOf({ kty, crv, x, y, n, e }: Members): KeyMembers | undefined {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  if (kty === "EC" && crv === "P-256") return { kty, crv, x: text(x), y: text(y) };
  if (kty === "OKP" && crv === "Ed25519") return { kty, crv, x: text(x) };
  return kty === "RSA" ? { kty, n: text(n), e: text(e) } : undefined;
}

function algorithmsOf(kty: unknown): readonly unknown[] {
  return kty === "EC" || kty === "RSA" || kty === "OKP" ? ALGORITHMS[kty] : [];
}

function isRsaSize(bits: number): boolean {
  return bits >= RSA_BITS.min && bits <= RSA_BITS.max;
}

/** The length of a modulus in bits; 0 for one that isn't written as RFC 7518 section 6.3.1.1 wants it. */
function modulusBits(n: string): number {
  const bytes = Buffer.from(n, "base64url");
  if (bytes.toString("base64url") !== n || bytes[0] === undefined || bytes[0] === 0) return 0;
  return bytes.length * 8 - (Math.clz32(bytes[0]) - 24);
}

function isKey(key: Members): boolean {
  const members = membersOf(key);
  if (members === undefined) return false;
  const numbers = members.kty === "EC" ? [members.x, members.y] : members.kty === "OKP" ? [members.x] : [];
  if (!numbers.every(isBase64urlOf32Bytes)) return false;
  try {
    createPublicKey({ key: { ...members }, format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

/** A checked key, without what isn't needed. */
function publicJwk(key: Members): PublicJwk {
  const { kid, alg } = key as { kid: string; alg?: string };
  return { ...(membersOf(key) as KeyMembers), kid, ...(alg === undefined ? {} : { alg }), use: "sig" };
}
