import { exportSPKI, generateKeyPair, importJWK, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { ISSUER, NOW_S, type TestIssuer, testIssuer } from "../testing/test-issuer.ts";
import { type SignedTokenRules, verifySignedToken } from "./signed-token.ts";

const TYPE = "at+jwt";
const AUDIENCE = "somebody";

let issuer: TestIssuer;
let publicKey: CryptoKey;
beforeAll(async () => {
  issuer = await testIssuer(TYPE);
  publicKey = (await importJWK(issuer.jwk, "ES256")) as CryptoKey;
});

const verify = (token: string, rules: Partial<SignedTokenRules> = {}) =>
  verifySignedToken(token, {
    type: TYPE,
    issuer: ISSUER,
    audience: AUDIENCE,
    findKey: (keyId) => (keyId === "one" ? publicKey : undefined),
    nowMs: NOW_S * 1_000,
    ...rules,
  });

const claims = { aud: AUDIENCE, sub: "me" };
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
/** A token whose signature the test builds itself, or leaves out. */
const crafted = (header: object, signature = "") =>
  `${encoded(header)}.${encoded({ ...claims, iss: ISSUER, iat: NOW_S, exp: NOW_S + 60 })}.${signature}`;

describe("verifySignedToken", () => {
  it("returns the claims of a valid token", async () => {
    expect(await verify(await issuer.sign(claims))).toMatchObject({ ...claims, iss: ISSUER });
  });

  it.each<[string, () => Promise<string> | string]>([
    ["no signature: alg none (RFC 8725 section 3.1)", () => crafted({ alg: "none", typ: TYPE, kid: "one" })],
    ["alg none with a signature", () => crafted({ alg: "none", typ: TYPE, kid: "one" }, "AAAA")],
    ["alg nOnE", () => crafted({ alg: "nOnE", typ: TYPE, kid: "one" }, "AAAA")],
    ["the public key as an HMAC secret (RFC 8725 section 2.1)", () => signedWithPublicKey(issuer)],
    ["another algorithm of the same curve family", () => signedAs("ES384")],
    ["RS256", () => signedAs("RS256")],
    ["another key under the same kid", async () => (await testIssuer(TYPE)).sign(claims)],
    ["an unknown kid", () => issuer.sign(claims, { kid: "two" })],
    ["a kid that is no text", () => crafted({ alg: "ES256", typ: TYPE, kid: 1 }, "AAAA")],
    ["no kid", () => issuer.sign(claims, { kid: undefined })],
    ["a key that it brings itself (RFC 8725 section 3.10)", () => withOwnKey()],
    ["another type (RFC 8725 section 3.11)", () => issuer.sign(claims, { typ: "tidemark-actor+jwt" })],
    ["the type JWT", () => issuer.sign(claims, { typ: "JWT" })],
    ["no type", () => issuer.sign(claims, { typ: undefined })],
    [
      "a critical extension that nobody knows (RFC 7515 section 4.1.11)",
      () => crafted({ alg: "ES256", typ: TYPE, kid: "one", crit: ["x"], x: 1 }, "AAAA"),
    ],
    ["another issuer (RFC 8725 section 3.8)", () => issuer.sign({ ...claims, iss: "https://evil.example" })],
    ["the issuer with a slash", () => issuer.sign({ ...claims, iss: `${ISSUER}/` })],
    ["no issuer", () => issuer.sign({ ...claims, iss: undefined })],
    ["another audience (RFC 8725 section 3.9)", () => issuer.sign({ ...claims, aud: "another" })],
    ["no audience", () => issuer.sign({ ...claims, aud: undefined })],
    ["no subject", () => issuer.sign({ ...claims, sub: undefined })],
    ["no expiry", () => issuer.sign({ ...claims, exp: undefined })],
    ["no time of issue", () => issuer.sign({ ...claims, iat: undefined })],
    ["an expiry in the past", () => issuer.sign({ ...claims, exp: NOW_S - 6 })],
    ["an expiry that is no number", () => issuer.sign({ ...claims, exp: "tomorrow" })],
    ["a time before which it isn't good", () => issuer.sign({ ...claims, nbf: NOW_S + 61 })],
    ["a changed payload", async () => (await issuer.sign(claims)).replace(/\.[^.]+\./, `.${encoded(claims)}.`)],
    ["a cut signature", async () => (await issuer.sign(claims)).slice(0, -2)],
    ["a signature of zeros (CVE-2022-21449)", async () => withSignature(await issuer.sign(claims), Buffer.alloc(64))],
    ["four parts", async () => `${await issuer.sign(claims)}.AAAA`],
    ["two parts", async () => (await issuer.sign(claims)).split(".").slice(0, 2).join(".")],
    ["no JSON", () => "AAAA.AAAA.AAAA"],
    ["nothing", () => ""],
    ["more than 8 KiB", async () => issuer.sign({ ...claims, more: "x".repeat(8_192) })],
  ])("refuses %s", async (_, token) => {
    expect(await verify(await token())).toBeUndefined();
  });

  it("lets clocks differ by a minute where a token begins, and by 5 s where it ends: nothing lives longer for it", async () => {
    expect(await verify(await issuer.sign({ ...claims, nbf: NOW_S + 60 }))).toBeDefined();
    expect(await verify(await issuer.sign({ ...claims, exp: NOW_S - 4 }))).toBeDefined();
    expect(await verify(await issuer.sign({ ...claims, exp: NOW_S - 5 }))).toBeUndefined();
  });

  it.each<[string, object, boolean]>([
    ["for its end", { exp: NOW_S - 5 }, true],
    ["for its beginning", { nbf: NOW_S + 61 }, true],
    ["for another reason", { aud: "another" }, false],
  ])("says whether only its times are wrong: %s", async (_, changed, expected) => {
    const reasons: boolean[] = [];
    const onRefused = (_reason: string, isOutOfTime: boolean) => void reasons.push(isOutOfTime);
    await verify(await issuer.sign({ ...claims, ...changed }), { onRefused });
    expect(reasons).toEqual([expected]);
  });

  it("passes on the error of keys that can't be loaded", async () => {
    const findKey = () => Promise.reject(new Error("no keys now"));
    await expect(verify(await issuer.sign(claims), { findKey })).rejects.toThrow("no keys now");
  });
});

async function signedWithPublicKey({ jwk }: TestIssuer): Promise<string> {
  const key = (await importJWK(jwk, "ES256", { extractable: true })) as CryptoKey;
  return new SignJWT({ ...claims, iss: ISSUER, iat: NOW_S, exp: NOW_S + 60 })
    .setProtectedHeader({ alg: "HS256", typ: TYPE, kid: "one" })
    .sign(new TextEncoder().encode(await exportSPKI(key)));
}

async function signedAs(alg: string): Promise<string> {
  const { privateKey } = await generateKeyPair(alg);
  return new SignJWT({ ...claims, iss: ISSUER, iat: NOW_S, exp: NOW_S + 60 })
    .setProtectedHeader({ alg, typ: TYPE, kid: "one" })
    .sign(privateKey);
}

async function withOwnKey(): Promise<string> {
  const stranger = await testIssuer(TYPE);
  const { jwk } = stranger;
  return stranger.sign(claims, { jwk, jku: "https://evil.example/jwks.json", x5u: "https://evil.example/x5u" });
}

function withSignature(token: string, signature: Buffer): string {
  return token.replace(/[^.]*$/, signature.toString("base64url"));
}
