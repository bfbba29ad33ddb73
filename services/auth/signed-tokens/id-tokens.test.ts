import { createHash } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import type { IdTokenGrant } from "../base/issued-tokens.ts";
import { authContext, type TestContext } from "../testing/auth-context.ts";
import { ISSUER } from "../testing/test-auth-config.ts";
import { accessTokenHash } from "./id-tokens.ts";

const CLIENT = "22222222-2222-4222-8222-222222222222";
const grant: IdTokenGrant = {
  clientUuid: CLIENT,
  accountUuid: "33333333-3333-4333-8333-333333333333",
  subjectSalt: new Uint8Array(32).fill(5),
  algorithm: "RS256",
  authenticatedAtMs: 1_700_000_000_999n,
  authenticatedBy: "code",
  sharesEmail: false,
  nonce: "n-0S6_WzA2Mj",
  accessToken: "an access token",
};
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

describe("IdTokens", () => {
  let context: TestContext;
  beforeEach(async () => {
    context = await authContext();
  });
  const issue = (change: Partial<IdTokenGrant> = {}) => context.idTokens.issue({ ...grant, ...change });
  const readHint = (token: string) => context.idTokens.readHint(token);

  it("have the claims of OpenID Connect Core section 2, and neither account nor e-mail address", async () => {
    const iat = Number(context.time.now() / 1_000n);
    expect(decodeJwt(await issue())).toEqual({
      iss: ISSUER,
      sub: expect.stringMatching(/^[\w-]{43}$/),
      aud: CLIENT,
      iat,
      exp: iat + 3_600,
      auth_time: 1_700_000_000,
      nonce: "n-0S6_WzA2Mj",
      acr: "urn:tidemark:email-code",
      amr: ["otp"],
      at_hash: accessTokenHash("an access token"),
    });
  });

  it("say that a user has signed in with a passkey", async () => {
    const claims = decodeJwt(await issue({ authenticatedBy: "passkey" }));
    expect(claims).toMatchObject({ acr: "phr", amr: ["pop", "user", "mfa"] });
  });

  it("say that the address is verified, without the address, to an application that may see it (Core section 5.1)", async () => {
    const claims = decodeJwt(await issue({ sharesEmail: true }));
    expect(claims["email_verified"]).toBe(true);
    expect(claims).not.toHaveProperty("email");
  });

  it("don't say when the user signed in unless the request asked for it", async () => {
    expect(decodeJwt(await issue({ authenticatedAtMs: undefined }))).not.toHaveProperty("auth_time");
  });

  it("have no nonce unless one was sent (Core section 3.1.3.7)", async () => {
    expect(decodeJwt(await issue({ nonce: undefined }))).not.toHaveProperty("nonce");
  });

  it.each(["RS256", "ES256"] as const)("are signed with a key of the JWKS for %s", async (algorithm) => {
    const token = await issue({ algorithm });
    const { alg, typ, kid } = decodeProtectedHeader(token);
    expect([alg, typ]).toEqual([algorithm, "JWT"]);
    const { keys } = await (algorithm === "RS256" ? context.rsaKeyRing : context.keyRing).jwks();
    expect(keys.find((key) => key.kid === kid)).toMatchObject({ alg: algorithm, use: "sig" });
  });

  it("have the subject of access tokens", async () => {
    const { token } = await context.accessTokens.issue({
      ...grant,
      saleUuid: "11111111-1111-4111-8111-111111111111",
      tenancy: "live",
      familyUuid: "44444444-4444-4444-8444-444444444444",
      scopes: ["openid"],
    });
    expect(decodeJwt(await issue()).sub).toBe(decodeJwt(token).sub);
  });

  it.each(["RS256", "ES256"] as const)("pass as no access token: %s (RFC 9068 section 4)", async (algorithm) => {
    expect(await context.accessTokens.verify(await issue({ algorithm }))).toBeUndefined();
    expect(await context.accessTokens.verify(await issue({ algorithm, clientUuid: ISSUER }))).toBeUndefined();
  });

  it("are hints until their key is gone, also expired ones (RP-Initiated Logout section 2)", async () => {
    for (const algorithm of ["RS256", "ES256"] as const) {
      const token = await issue({ algorithm });
      context.time.advance(7_200_000);
      expect(await readHint(token)).toEqual({ subject: decodeJwt(token).sub, clientUuid: CLIENT });
    }
  });

  it.each(["RS256", "ES256"] as const)("are no hints once their key is removed as leaked: %s", async (algorithm) => {
    const token = await issue({ algorithm });
    expect(await readHint(token)).toBeDefined();
    await (algorithm === "RS256" ? context.rsaKeyRing : context.keyRing).remove("all", false);
    expect(await readHint(token)).toBeUndefined();
    expect(await readHint(await issue({ algorithm }))).toBeDefined();
  });

  it("are no hints in any changed form", async () => {
    const genuine = await issue();
    const [header = "", payload = "", signature = ""] = genuine.split(".");
    const parsed = JSON.parse(Buffer.from(header, "base64url").toString());
    const claims = decodeJwt(genuine);
    const { privateKey } = await generateKeyPair("RS256");
    const byStranger = (more: object) =>
      new SignJWT(claims).setProtectedHeader({ ...parsed, ...more }).sign(privateKey);
    const ownKey = context.keyRing;
    const { token: accessToken } = await context.accessTokens.issue({
      ...grant,
      saleUuid: "11111111-1111-4111-8111-111111111111",
      tenancy: "live",
      familyUuid: "44444444-4444-4444-8444-444444444444",
      scopes: ["openid"],
    });
    const times = { iat: 1, exp: 4_000_000_000 };
    const attacks: Readonly<Record<string, string>> = {
      "alg none (RFC 8725 section 3.1)": `${encoded({ ...parsed, alg: "none" })}.${payload}.`,
      "alg none with the signature": `${encoded({ ...parsed, alg: "none" })}.${payload}.${signature}`,
      "HMAC with the public key (RFC 8725 section 2.1)": await hmacWithPublicKey(context, parsed.kid, payload),
      "another subject": `${header}.${encoded({ ...claims, sub: "x" })}.${signature}`,
      "a stranger's key under our kid": await byStranger({}),
      "a key that it brings (RFC 8725 section 3.10)": await byStranger({ jwk: { kty: "RSA" }, kid: "x" }),
      "ES256 with the kid of an RSA key": `${encoded({ ...parsed, alg: "ES256" })}.${payload}.${signature}`,
      "an access token": accessToken,
      "an actor token": await ownKey.sign("tidemark-actor+jwt", { ...times, sub: "x", aud: CLIENT }),
      "an audience that is no client": await ownKey.sign("JWT", { ...times, sub: "x", aud: ISSUER }),
      "several audiences": await ownKey.sign("JWT", { ...times, sub: "x", aud: [CLIENT, CLIENT] }),
      "no subject": await ownKey.sign("JWT", { ...times, aud: CLIENT }),
      "more than 8 KiB": await ownKey.sign("JWT", { ...times, sub: "x", aud: CLIENT, more: "x".repeat(8_192) }),
      "no token": "a.b.c",
      "no dots": "hint",
      nothing: "",
    };
    expect(await readHint(genuine)).toBeDefined();
    for (const [attack, hint] of Object.entries(attacks))
      expect([attack, await readHint(hint)]).toEqual([attack, undefined]);
  });

  it("of another issuer are no hints", async () => {
    const foreign = await authContext();
    expect(await readHint(await foreign.idTokens.issue(grant))).toBeUndefined();
  });
});

describe("accessTokenHash", () => {
  it("is the left half of the SHA-256 (Core section 3.1.3.6)", () => {
    // The example of Core appendix A.3.
    expect(accessTokenHash("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")).toBe("77QmUPtjPfzWtF2AnpK9RQ");
  });
});

async function hmacWithPublicKey({ rsaKeyRing }: TestContext, kid: string, payload: string): Promise<string> {
  const { keys } = await rsaKeyRing.jwks();
  const secret = createHash("sha256").update(JSON.stringify(keys[0])).digest();
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  return new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "JWT", kid }).sign(secret);
}
