import { createHmac, createPublicKey } from "node:crypto";
import { exportJWK, generateKeyPair, importPKCS8, type JWK, type JWTHeaderParameters, SignJWT } from "jose";
import { AUTH_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { deriveKeys } from "../../../services/auth/base/derived-keys.ts";
import { unwrapPrivateKey } from "../../../services/auth/keys/signing-key.ts";
import { readSigningKeys } from "../../../services/auth/keys/signing-keys-store.ts";
import { type AuthFixture, ISSUER, KEY_ENCRYPTION_KEY } from "../processes/auth-fixture.ts";

type Json = Readonly<Record<string, unknown>>;

/** A token that auth has issued, with the means to forge others. */
export interface Genuine {
  readonly header: Json;
  readonly payload: Json;
  readonly signature: string;
  readonly publicJwk: JWK;
  /** Signs with auth's key, to test one changed claim at a time. */
  readonly sign: (header: Json, payload: Json) => Promise<string>;
  /** Signs with a key of the attacker. */
  readonly forge: (header: Json, payload: Json) => Promise<string>;
  readonly attackersJwk: JWK;
}

export type Forgery = readonly [attack: string, rfc: string, make: (genuine: Genuine) => Promise<string> | string];

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const unsigned = (header: Json, payload: Json, signature = "") => `${part(header)}.${part(payload)}.${signature}`;

function macSigned({ header, payload }: Genuine, key: string | Buffer): string {
  const input = `${part({ ...header, alg: "HS256" })}.${part(payload)}`;
  return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`;
}

const pemOf = ({ publicJwk }: Genuine) =>
  createPublicKey({ key: publicJwk as Record<string, string>, format: "jwk" }).export({ type: "spki", format: "pem" });

/** Forged headers. `none`, in any case, is no signature, and a header can't choose algorithm, type or key. */
export const HEADER_FORGERIES: readonly Forgery[] = [
  ["alg none", "RFC 8725 3.2", ({ header, payload }) => unsigned({ ...header, alg: "none" }, payload)],
  ["alg NoNe", "RFC 8725 3.2", ({ header, payload }) => unsigned({ ...header, alg: "NoNe" }, payload)],
  [
    "alg none with the signature",
    "RFC 8725 3.2",
    ({ header, payload, signature }) => unsigned({ ...header, alg: "none" }, payload, signature),
  ],
  [
    "no alg",
    "RFC 7515 4.1.1",
    ({ header: { alg: _, ...header }, payload, signature }) => unsigned(header, payload, signature),
  ],
  ["HMAC with the public key as PEM", "RFC 8725 2.1", (genuine) => macSigned(genuine, pemOf(genuine))],
  [
    "HMAC with the public key as JWK",
    "RFC 8725 2.1",
    (genuine) => macSigned(genuine, JSON.stringify(genuine.publicJwk)),
  ],
  [
    "HMAC with the public key's x",
    "RFC 8725 2.1",
    (genuine) => macSigned(genuine, Buffer.from(genuine.publicJwk.x ?? "", "base64url")),
  ],
  ["HMAC with nothing", "RFC 8725 2.1", (genuine) => macSigned(genuine, "")],
  ["another key under our kid", "RFC 8725 3.10", ({ header, payload, forge }) => forge(header, payload)],
  [
    "another key inside the token",
    "RFC 7515 4.1.3",
    ({ header, payload, forge, attackersJwk }) => forge({ ...header, jwk: attackersJwk }, payload),
  ],
  [
    "another key at a URL",
    "RFC 8725 3.10",
    ({ header, payload, forge }) => forge({ ...header, jku: "http://127.0.0.1:1/jwks" }, payload),
  ],
  [
    "another key in a certificate",
    "RFC 7515 4.1.6",
    ({ header, payload, forge }) => forge({ ...header, x5c: ["AAAA"] }, payload),
  ],
  ["no kid", "RFC 9068 4", ({ header: { kid: _, ...header }, payload, sign }) => sign(header, payload)],
  ["empty kid", "RFC 8725 3.10", ({ header, payload, sign }) => sign({ ...header, kid: "" }, payload)],
  ["unknown kid", "RFC 8725 3.10", ({ header, payload, sign }) => sign({ ...header, kid: "unknown" }, payload)],
  [
    "kid with a path",
    "RFC 8725 3.10",
    ({ header, payload, sign }) => sign({ ...header, kid: "../../../../dev/null" }, payload),
  ],
  [
    "kid with SQL",
    "RFC 8725 3.10",
    ({ header, payload, sign }) => sign({ ...header, kid: `${header["kid"]}' OR '1'='1` }, payload),
  ],
  [
    "kid named as an object property",
    "RFC 8725 3.10",
    ({ header, payload, sign }) => sign({ ...header, kid: "__proto__" }, payload),
  ],
  [
    "kid a number",
    "RFC 7515 4.1.4",
    ({ header, payload, signature }) => unsigned({ ...header, kid: 1 }, payload, signature),
  ],
  ["typ JWT", "RFC 9068 4", ({ header, payload, sign }) => sign({ ...header, typ: "JWT" }, payload)],
  ["no typ", "RFC 9068 4", ({ header: { typ: _, ...header }, payload, sign }) => sign(header, payload)],
  [
    "typ of an actor token",
    "RFC 8725 3.11",
    ({ header, payload, sign }) => sign({ ...header, typ: "tidemark-actor+jwt" }, payload),
  ],
  [
    "typ of another kind",
    "RFC 8725 3.11",
    ({ header, payload, sign }) => sign({ ...header, typ: "logout+jwt" }, payload),
  ],
  [
    "a critical extension that is unknown",
    "RFC 7515 4.1.11",
    ({ header, payload, signature }) => unsigned({ ...header, crit: ["evil"], evil: true }, payload, signature),
  ],
];

export const SIGNATURE_FORGERIES: readonly Forgery[] = [
  ["no signature", "RFC 7515 5.2", ({ header, payload }) => unsigned(header, payload)],
  [
    "a signature of zeros",
    "RFC 7518 3.4",
    ({ header, payload }) => unsigned(header, payload, Buffer.alloc(64).toString("base64url")),
  ],
  [
    "a signature cut short",
    "RFC 7518 3.4",
    ({ header, payload, signature }) => unsigned(header, payload, signature.slice(0, 80)),
  ],
  [
    "a signature with trailing bytes",
    "RFC 7518 3.4",
    ({ header, payload, signature }) => unsigned(header, payload, `${signature}AAAA`),
  ],
  [
    "scopes widened",
    "RFC 7515 5.2",
    ({ header, payload, signature }) =>
      unsigned(header, { ...payload, scope: "read_entities contact_email" }, signature),
  ],
  [
    "another subject",
    "RFC 7515 5.2",
    ({ header, payload, signature }) => unsigned(header, { ...payload, sub: "somebody" }, signature),
  ],
  ["four parts", "RFC 7515 3.1", ({ header, payload, signature }) => `${unsigned(header, payload, signature)}.AAAA`],
  [
    "five parts, as if encrypted",
    "RFC 7516 3.1",
    ({ header }) => `${part({ ...header, alg: "dir", enc: "A256GCM" })}..AAAA.AAAA.AAAA`,
  ],
  ["one part", "RFC 7515 3.1", ({ header }) => part(header)],
  ["nothing but dots", "RFC 7515 3.1", () => ".."],
  ["a header that is no JSON", "RFC 7515 5.2", ({ payload, signature }) => `AAAA.${part(payload)}.${signature}`],
  ["more than fits", "RFC 6750 3.1", () => "a".repeat(9_000)],
];

const CLAIM_CHANGES: readonly (readonly [attack: string, rfc: string, change: Json])[] = [
  ["another issuer", "RFC 9068 4", { iss: "https://evil.example" }],
  ["our issuer with a slash", "RFC 9068 4", { iss: `${ISSUER}/` }],
  ["no issuer", "RFC 9068 2.2", { iss: undefined }],
  ["another audience", "RFC 9068 4", { aud: "https://other.example" }],
  ["the audience of a service", "RFC 8725 3.9", { aud: AUTH_AUDIENCE }],
  ["no audience", "RFC 9068 2.2", { aud: undefined }],
  ["no expiry", "RFC 9068 2.2", { exp: undefined }],
  ["an expiry that is text", "RFC 7519 4.1.4", { exp: "9999999999" }],
  ["an expiry that is over", "RFC 7519 4.1.4", { exp: 1_700_000_000 }],
  ["a beginning to come", "RFC 7519 4.1.5", { nbf: 9_999_999_999 }],
  ["no subject", "RFC 9068 2.2", { sub: undefined }],
  ["no client", "RFC 9068 2.2", { client_id: undefined }],
  ["no ID", "RFC 9068 2.2", { jti: undefined }],
  ["a scope that is no text", "RFC 9068 2.2.3", { scope: ["read_entities"] }],
];

/** Forged claims, each signed with auth's key. */
export const CLAIM_FORGERIES = CLAIM_CHANGES.map(
  ([attack, rfc, change]): Forgery => [
    attack,
    rfc,
    ({ header, payload, sign }) => sign(header, { ...payload, ...change }),
  ],
);

/** Splits a token of auth into its parts, and reads its key from the database. */
export async function takenApart(service: AuthFixture, token: string): Promise<Genuine> {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const parsed = JSON.parse(Buffer.from(header, "base64url").toString());
  const keys = await service.database.read((query) => readSigningKeys(query, "ES256"));
  const key = keys.find(({ keyId }) => keyId === parsed.kid) ?? missingKey();
  const pem = unwrapPrivateKey([deriveKeys(KEY_ENCRYPTION_KEY).signingKeyWrap], key.keyId, key.wrapped);
  const own = await importPKCS8(pem ?? "", "ES256");
  const attackers = await generateKeyPair("ES256");
  return {
    header: parsed,
    payload: JSON.parse(Buffer.from(payload, "base64url").toString()),
    signature,
    publicJwk: key.publicJwk,
    sign: (head, claims) => signed(head, claims, own),
    forge: (head, claims) => signed(head, claims, attackers.privateKey),
    attackersJwk: await exportJWK(attackers.publicKey),
  };
}

function signed(header: Json, payload: Json, key: CryptoKey): Promise<string> {
  return new SignJWT({ ...payload }).setProtectedHeader(header as JWTHeaderParameters).sign(key);
}

function missingKey(): never {
  throw new Error("the token's key is not in the database");
}
