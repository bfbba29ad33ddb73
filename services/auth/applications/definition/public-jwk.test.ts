import { generateKeyPairSync } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { describe, expect, it } from "vitest";
import { jwkThumbprint, readJwks } from "./public-jwk.ts";

const pair = (type: "ec" | "rsa" | "ed25519", bits = 2_048) => {
  if (type === "ec") return generateKeyPairSync("ec", { namedCurve: "P-256" });
  return type === "rsa" ? generateKeyPairSync("rsa", { modulusLength: bits }) : generateKeyPairSync("ed25519");
};
const EC_PAIR = pair("ec");
const EC = { ...EC_PAIR.publicKey.export({ format: "jwk" }), kid: "ec" };
const RSA = { ...pair("rsa").publicKey.export({ format: "jwk" }), kid: "rsa" };
const ED = { ...pair("ed25519").publicKey.export({ format: "jwk" }), kid: "ed" };
const P384 = { ...generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey.export({ format: "jwk" }), kid: "p" };

const read = (...keys: object[]) => readJwks(JSON.stringify({ keys }), "jwks");
const rulesOf = (...keys: object[]) => read(...keys).violations.map(({ field, rule }) => [field, rule]);
/** A modulus of some bits, all set. */
const modulus = (bits: number) =>
  Buffer.concat([Buffer.from([2 ** (((bits - 1) % 8) + 1) - 1]), Buffer.alloc(Math.ceil(bits / 8) - 1, 0xff)]).toString(
    "base64url",
  );

describe("readJwks", () => {
  it("reads keys of each type, without what no check of a signature needs", () => {
    const { x = "" } = ED as { x?: string };
    expect(
      read({ ...EC, x5c: ["AA"], use: "sig", key_ops: ["verify"] }, RSA, { ...ED, alg: "EdDSA", ext: true }),
    ).toEqual({
      jwks: [
        { ...EC, use: "sig" },
        { ...RSA, use: "sig" },
        { kty: "OKP", crv: "Ed25519", x, kid: "ed", alg: "EdDSA", use: "sig" },
      ],
      violations: [],
    });
  });

  it.each(["", " \n", '{"keys":[]}'])("reads %j as no keys", (text) => {
    expect(readJwks(text, "jwks")).toEqual({ jwks: [], violations: [] });
  });

  it.each(["x", "[]", "null", "1", "{}", '{"keys":{}}', '{"keys":[1]}', '{"keys":[null]}', JSON.stringify(EC)])(
    "refuses by jwks.format %j",
    (text) => {
      expect(readJwks(text, "jwks").violations).toMatchObject([{ field: "jwks", rule: "jwks.format" }]);
    },
  );

  it.each([
    JSON.stringify({ ...EC_PAIR.privateKey.export({ format: "jwk" }), kid: "k" }),
    JSON.stringify({ kty: "oct", k: "AAAA" }),
    String(EC_PAIR.privateKey.export({ format: "pem", type: "pkcs8" })),
    String(pair("rsa").privateKey.export({ format: "pem", type: "pkcs1" })),
  ])("says of a private key that isn't in a set that it has left its server: %j", (text) => {
    expect(readJwks(text, "jwks").violations).toMatchObject([{ field: "jwks", rule: "jwk.private" }]);
  });

  it("takes 8 keys, each with another kid", () => {
    const keys = Array.from({ length: 9 }, (_, index) => ({ ...EC, kid: `k${index}` }));
    expect(rulesOf(...keys.slice(1))).toEqual([]);
    expect(rulesOf(...keys)).toEqual([["jwks", "jwks.count"]]);
    expect(rulesOf(EC, { ...RSA, kid: "ec" })).toEqual([["jwks.keys[1]", "jwk.kid_doubled"]]);
  });

  it.each([
    ["jwk.private", { ...EC_PAIR.privateKey.export({ format: "jwk" }), kid: "k" }],
    ["jwk.private", { ...RSA, p: "AQ" }],
    ["jwk.private", { ...ED, d: "" }],
    ["jwk.private", { kty: "oct", k: "AAAA", kid: "k" }],
    ["jwk.kid", { ...EC, kid: undefined }],
    ["jwk.kid", { ...EC, kid: "" }],
    ["jwk.kid", { ...EC, kid: 1 }],
    ["jwk.kid", { ...EC, kid: "a b" }],
    ["jwk.kid", { ...EC, kid: "ä" }],
    ["jwk.kid", { ...EC, kid: "k".repeat(129) }],
    ["jwk.type", P384],
    ["jwk.type", { ...ED, crv: "X25519" }],
    ["jwk.type", { kty: "AKP", kid: "k" }],
    ["jwk.type", { kid: "k" }],
    ["jwk.use", { ...EC, use: "enc" }],
    ["jwk.use", { ...EC, key_ops: ["sign"] }],
    ["jwk.use", { ...EC, key_ops: ["verify", "sign"] }],
    ["jwk.use", { ...EC, key_ops: "verify" }],
    ["jwk.alg", { ...EC, alg: "RS256" }],
    ["jwk.alg", { ...RSA, alg: "none" }],
    ["jwk.alg", { ...RSA, alg: "HS256" }],
    ["jwk.alg", { ...ED, alg: null }],
    ["jwk.size", { ...RSA, n: modulus(2_047) }],
    ["jwk.size", { ...RSA, n: modulus(4_097) }],
    ["jwk.size", { ...RSA, n: undefined }],
    [
      "jwk.size",
      { ...RSA, n: Buffer.concat([Buffer.alloc(1), Buffer.from(RSA.n ?? "", "base64url")]).toString("base64url") },
    ],
    ["jwk.size", { ...RSA, e: "Aw" }],
    ["jwk.invalid", { ...EC, y: EC.x }],
    ["jwk.invalid", { ...EC, x: undefined }],
    ["jwk.invalid", { ...EC, x: `${EC.x}=` }],
    ["jwk.invalid", { ...EC, x: `AA${EC.x}` }],
    ["jwk.invalid", { ...ED, x: "AAAA" }],
  ])("refuses by %s the key %j", (rule, key) => {
    expect(rulesOf(key)).toEqual([["jwks.keys[0]", rule]]);
  });

  it("takes RSA keys up to 4096 bits", () => {
    expect(rulesOf({ ...RSA, n: modulus(4_096) }, { ...RSA, n: modulus(2_048), kid: "other" })).toEqual([]);
  });
});

describe("jwkThumbprint", () => {
  it("is that of RFC 7638", async () => {
    for (const key of read(EC, RSA, ED).jwks) {
      expect(jwkThumbprint(key)).toBe(await calculateJwkThumbprint({ ...key }));
    }
  });
});
