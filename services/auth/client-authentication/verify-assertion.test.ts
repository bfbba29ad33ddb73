import { createHmac } from "node:crypto";
import type { JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { type AssertionChanges, type ClientKeyPair, clientKeyPair, signedAssertion } from "../testing/assertions.ts";
import { ISSUER } from "../testing/test-auth-config.ts";
import { verifyAssertion } from "./verify-assertion.ts";

const CLIENT = "22222222-2222-4222-8222-222222222222";
const OTHER = "33333333-3333-4333-8333-333333333333";
const NOW_MS = BigInt(Date.UTC(2026, 0, 31, 12));
const NOW = Number(NOW_MS / 1_000n);
const EXPECTED = { clientUuid: CLIENT, issuer: ISSUER, nowMs: NOW_MS };

describe("verifyAssertion", () => {
  let pair: ClientKeyPair;
  beforeAll(async () => {
    pair = await clientKeyPair();
  });

  const verify = async (changes: AssertionChanges = {}, keys: readonly JWK[] = [pair.publicJwk]) =>
    verifyAssertion(await signedAssertion(pair, CLIENT, NOW_MS, changes), keys, EXPECTED);

  it.each([
    ["ES256", "ES256"],
    ["RS256", "RS256"],
    ["PS256", "PS256"],
    ["Ed25519", "EdDSA"],
    ["Ed25519", "Ed25519"],
  ])("accepts a key for %s with alg %s", async (generated, alg) => {
    const own = await clientKeyPair(generated);
    const assertion = await signedAssertion(own, CLIENT, NOW_MS, { header: { alg }, claims: { jti: "one" } });
    const keys = [pair.publicJwk, own.publicJwk];
    const valid = { jwtId: "one", expiresAtMs: NOW_MS + 90_000n };
    expect(await verifyAssertion(assertion, keys, EXPECTED)).toEqual(valid);
  });

  it.each<[string, AssertionChanges]>([
    ["no kid, with one key that fits", { header: { kid: undefined } }],
    ["typ JWT", { header: { typ: "JWT" } }],
    ["the typ of assertions", { header: { typ: "client-authentication+jwt" } }],
    ["the audience as a list of one", { claims: { aud: [ISSUER] } }],
    ["the client in capitals", { claims: { iss: CLIENT.toUpperCase() } }],
    ["no iat", { claims: { iat: undefined } }],
    ["the longest lifetime", { claims: { exp: NOW + 300 } }],
    ["clocks that differ by 30 seconds", { claims: { iat: NOW + 30, nbf: NOW + 30, exp: NOW + 330 } }],
    ["an expiry within the tolerance", { claims: { exp: NOW - 29 } }],
    ["a time with a fraction", { claims: { exp: NOW + 59.5 } }],
  ])("accepts %s", async (_, changes) => {
    expect(await verify(changes)).toMatchObject({ jwtId: expect.any(String) });
  });

  it.each<[string, AssertionChanges, string]>([
    ["iss of another", { claims: { iss: OTHER } }, "iss must be the client_id"],
    ["no iss", { claims: { iss: undefined } }, "iss must be the client_id"],
    ["sub of another", { claims: { sub: OTHER } }, "sub must be the client_id"],
    ["a list as sub", { claims: { sub: [CLIENT] } }, "sub must be the client_id"],
    ["another audience", { claims: { aud: "https://other.example" } }, "aud must be the issuer"],
    ["the token endpoint as audience", { claims: { aud: `${ISSUER}/oauth/token` } }, "aud must be the issuer"],
    ["the issuer with a slash", { claims: { aud: `${ISSUER}/` } }, "aud must be the issuer"],
    ["two audiences", { claims: { aud: [ISSUER, "https://other.example"] } }, "aud must be the issuer"],
    ["the audience twice", { claims: { aud: [ISSUER, ISSUER] } }, "aud must be the issuer"],
    ["no audience in a list", { claims: { aud: [] } }, "aud must be the issuer"],
    ["no audience", { claims: { aud: undefined } }, "aud must be the issuer"],
    ["no exp", { claims: { exp: undefined } }, "exp must be a number"],
    ["exp as text", { claims: { exp: `${NOW + 60}` } }, "exp must be a number"],
    ["an expired one", { claims: { exp: NOW - 30 } }, "it has expired"],
    ["a long lifetime", { claims: { exp: NOW + 331 } }, "exp must be at most 300 seconds from now"],
    ["an endless one", { claims: { exp: 1e300 } }, "exp must be at most 300 seconds from now"],
    ["nbf in the future", { claims: { nbf: NOW + 31 } }, "nbf must not be in the future"],
    ["nbf as text", { claims: { nbf: "0" } }, "nbf must be a number"],
    ["iat in the future", { claims: { iat: NOW + 31 } }, "iat must not be in the future"],
    ["an old one", { claims: { iat: NOW - 331 } }, "iat must be at most 300 seconds ago"],
    ["no jti", { claims: { jti: undefined } }, "jti must be a string"],
    ["an empty jti", { claims: { jti: "" } }, "jti must be a string"],
    ["a number as jti", { claims: { jti: 1 } }, "jti must be a string"],
    ["a long jti", { claims: { jti: "j".repeat(257) } }, "jti must be a string"],
    ["an unknown kid", { header: { kid: "other" } }, "kid must be that of a key of the client"],
    ["a number as kid", { header: { kid: 1 } }, "kid must be a string"],
    ["the type of access tokens", { header: { typ: "at+jwt" } }, "typ must be absent"],
    ["the type of DPoP proofs", { header: { typ: "dpop+jwt" } }, "typ must be absent"],
    ["a key in the header", { header: { jwk: { kty: "EC" } } }, "its header must not have jwk"],
    ["a URL of keys in the header", { header: { jku: "https://evil.example" } }, "its header must not have jku"],
    ["a URL of certificates", { header: { x5u: "https://evil.example" } }, "its header must not have x5u"],
    ["certificates", { header: { x5c: [] } }, "its header must not have x5c"],
    ["critical extensions", { header: { crit: ["b64"], b64: true } }, "its header must not have crit"],
  ])("refuses %s", async (_, changes, rule) => {
    await expect(verify(changes)).rejects.toThrow(`invalid_client: client_assertion is refused: ${rule}`);
  });

  it("refuses a signature by another key with the same kid", async () => {
    const other = await clientKeyPair("ES256", pair.publicJwk.kid);
    await expect(verify({}, [other.publicJwk])).rejects.toThrow("its signature must be by a key of the client");
  });

  it("refuses changed claims", async () => {
    const [header, , signature] = (await signedAssertion(pair, CLIENT, NOW_MS)).split(".");
    const claims = Buffer.from(JSON.stringify({ iss: CLIENT, sub: CLIENT })).toString("base64url");
    const forged = verifyAssertion(`${header}.${claims}.${signature}`, [pair.publicJwk], EXPECTED);
    await expect(forged).rejects.toThrow("its signature must be by a key of the client");
  });

  it("refuses an assertion without kid if several keys fit", async () => {
    const keys = [pair.publicJwk, (await clientKeyPair()).publicJwk];
    await expect(verify({ header: { kid: undefined } }, keys)).rejects.toThrow("kid must say which");
  });

  it("refuses another algorithm than that of the key", async () => {
    const rsa = await clientKeyPair("RS256");
    const only = { ...rsa.publicJwk, alg: "PS256" };
    const assertion = await signedAssertion(rsa, CLIENT, NOW_MS, { header: { alg: "RS256" } });
    await expect(verifyAssertion(assertion, [only], EXPECTED)).rejects.toThrow("alg must be one for the key");
    await expect(verify({}, [{ ...rsa.publicJwk, kid: pair.publicJwk.kid }])).rejects.toThrow("alg must be one for");
  });

  it.each(["none", "HS256", "ES384", "RS512", "es256"])("refuses alg %s", async (alg) => {
    const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const claims = { iss: CLIENT, sub: CLIENT, aud: ISSUER, exp: NOW + 60, jti: "j" };
    const input = `${encode({ alg, kid: pair.publicJwk.kid })}.${encode(claims)}`;
    // As if the public key were the secret of an HMAC (RFC 8725 section 2.1).
    const mac = createHmac("sha256", JSON.stringify(pair.publicJwk)).update(input).digest("base64url");
    for (const signature of [mac, ""]) {
      const verified = verifyAssertion(`${input}.${signature}`, [pair.publicJwk], EXPECTED);
      await expect(verified).rejects.toThrow("alg must be one of");
    }
  });

  it.each(["", "a", "a.b", "a.b.c", "e30.e30.", "e30.e30.e30.e30.e30"])("refuses %j", async (text) => {
    await expect(verifyAssertion(text, [pair.publicJwk], EXPECTED)).rejects.toThrow("invalid_client");
  });

  it("refuses every assertion of a client without keys", async () => {
    await expect(verify({}, [])).rejects.toThrow("kid must be that of a key of the client");
  });
});
