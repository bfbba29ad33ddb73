import { createPublicKey } from "node:crypto";
import { generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from "jose";
import { Registry } from "prom-client";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../errors/service-error.ts";
import { Lifecycle } from "../../lifecycle/lifecycle.ts";
import { captureLog, type LogCapture } from "../../testing/log-capture.ts";
import { SERVICE_ISSUER, type ServiceIssuer, serviceIssuer } from "../../testing/service-issuer.ts";
import { callerAuthenticator } from "./caller-authenticator.ts";
import { signCallerToken, TOKEN_TYPE } from "./caller-token.ts";
import { issuerTokenAuthenticator } from "./issuer-token-authenticator.ts";

const AUDIENCE = "tidemark.commitments";
const GATEWAY = "system:serviceaccount:tidemark:gateway";
const NOW = 1_800_000_000;
const NOT_VALID = "unauthenticated: the caller token is not valid";

const claims = { aud: [AUDIENCE], sub: GATEWAY };

describe("issuerTokenAuthenticator", () => {
  let rsa: ServiceIssuer;
  let ec: ServiceIssuer;
  let weak: JWK;
  /** The keys that the issuer publishes, and whether it can be reached. */
  let published: unknown;
  let failure: Error | undefined;
  let questions: number;
  let log: LogCapture;
  beforeAll(async () => {
    [rsa, ec] = await Promise.all([serviceIssuer("rsa"), serviceIssuer("ec", "ES256")]);
    weak = { kty: "RSA", n: Buffer.alloc(128, 0xff).toString("base64url"), e: "AQAB", kid: "weak" };
  });
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: NOW * 1_000 });
    published = { keys: [rsa.jwk, ec.jwk, weak] };
    [failure, questions] = [undefined, 0];
    log = captureLog();
    lifecycle = new Lifecycle({ logger: log.logger });
  });
  afterEach(async () => {
    vi.useRealTimers();
    // Loads of keys that have all failed so far.
    await lifecycle.stop();
  });

  const callerIssuer = () => ({
    issuer: SERVICE_ISSUER,
    jwks: async () => {
      questions += 1;
      if (failure !== undefined) throw failure;
      return published;
    },
    subjects: new Map([
      [GATEWAY, "gateway"],
      ["system:serviceaccount:tidemark:indexer", "indexer"],
    ]),
  });
  /** Lifecycle of the last authenticator's process. */
  let lifecycle: Lifecycle;
  const observed = () => {
    lifecycle = new Lifecycle({ logger: log.logger });
    lifecycle.markReady();
    const registry = new Registry();
    return { lifecycle, logger: log.logger, registry };
  };
  const authenticator = () => issuerTokenAuthenticator({ ...callerIssuer(), audience: AUDIENCE, ...observed() });
  const outcome = async (token: string, subject = authenticator()) => {
    try {
      return (await subject.authenticate(`Bearer ${token}`)).name;
    } catch (error) {
      if (error instanceof ServiceError) return `${error.code}: ${error.message}`;
      throw error;
    }
  };

  it.each<[string, () => Promise<string>]>([
    ["RS256", () => rsa.sign(claims)],
    ["ES256", () => ec.sign(claims)],
    ["one audience that is no list", () => rsa.sign({ ...claims, aud: AUDIENCE })],
    ["the type JWT", () => rsa.sign(claims, { typ: "JWT" })],
  ])("knows a caller by a token of %s", async (_, token) => {
    expect(await outcome(await token())).toBe("gateway");
  });

  it.each<[string, () => Promise<string> | string]>([
    ["alg none (RFC 8725 section 3.1)", () => `${unsecured()}AAAA`],
    ["the RSA key as an HMAC secret (RFC 8725 section 2.1)", () => signedWithPublicKey(rsa.jwk)],
    ["the EC key as an HMAC secret (RFC 8725 section 2.1)", () => signedWithPublicKey(ec.jwk)],
    ["RS512", () => signedAs("RS512", "rsa")],
    ["PS256", () => signedAs("PS256", "rsa")],
    ["ES384", () => signedAs("ES384", "ec")],
    ["a strange key under a known kid", async () => (await serviceIssuer("rsa")).sign(claims)],
    [
      "a strange key of the other kind under a known kid",
      async () => (await serviceIssuer("rsa", "ES256")).sign(claims),
    ],
    ["RS256 with the kid of the EC key", () => rsa.sign(claims, { kid: "ec" })],
    ["ES256 with the kid of the RSA key", () => ec.sign(claims, { kid: "rsa" })],
    ["an unknown kid", () => rsa.sign(claims, { kid: "two" })],
    ["no kid", () => rsa.sign(claims, { kid: undefined })],
    ["the kid of a key that is too short (RFC 7518 section 3.3)", () => rsa.sign(claims, { kid: "weak" })],
    ["another issuer (RFC 8725 section 3.8)", () => rsa.sign({ ...claims, iss: "https://evil.example" })],
    ["the issuer with a slash", () => rsa.sign({ ...claims, iss: `${SERVICE_ISSUER}/` })],
    ["no issuer", () => rsa.sign({ ...claims, iss: undefined })],
    ["another service (RFC 8725 section 3.9)", () => rsa.sign({ ...claims, aud: ["tidemark.auth"] })],
    ["the issuer's own API", () => rsa.sign({ ...claims, aud: [SERVICE_ISSUER] })],
    ["no audience", () => rsa.sign({ ...claims, aud: undefined })],
    ["no subject", () => rsa.sign({ ...claims, sub: undefined })],
    ["no expiry", () => rsa.sign({ ...claims, exp: undefined })],
    ["no time of issue", () => rsa.sign({ ...claims, iat: undefined })],
    ["the type of another token (RFC 8725 section 3.11)", () => rsa.sign(claims, { typ: "at+jwt" })],
    ["the type of tokens by named keys", () => rsa.sign(claims, { typ: TOKEN_TYPE })],
    ["a changed payload", async () => changed(await rsa.sign(claims))],
    ["a cut signature", async () => (await rsa.sign(claims)).slice(0, -4)],
  ])("refuses %s", async (_, token) => {
    expect(await outcome(await token())).toBe(NOT_VALID);
    expect(log.lines).toMatchObject([{ msg: "a caller token is refused", reason: expect.stringMatching(/./) }]);
  });

  it.each<[string, () => Promise<string>]>([
    ["expired", () => rsa.sign({ ...claims, exp: NOW - 6 })],
    ["begins in more than a minute", () => rsa.sign({ ...claims, nbf: NOW + 61 })],
  ])("says of a token that %s that only its time is wrong", async (_, token) => {
    await expect(authenticator().authenticate(`Bearer ${await token()}`)).rejects.toMatchObject({
      code: "unauthenticated",
      violations: [{ field: "authorization", rule: "caller_token.time" }],
    });
    expect(await outcome(await rsa.sign({ ...claims, nbf: NOW + 60 }))).toBe("gateway");
  });

  it.each([
    "system:serviceaccount:tidemark:default",
    "system:serviceaccount:other:gateway",
    "system:serviceaccount:tidemark:gateway2",
    "System:serviceaccount:tidemark:gateway",
    ` ${GATEWAY}`,
    "gateway",
    "",
  ])("refuses the subject %j", async (sub) => {
    expect(await outcome(await rsa.sign({ ...claims, sub }))).toBe(
      "unauthenticated: the caller token is of an unknown subject",
    );
    expect(log.lines).toMatchObject([{ reason: "unknown subject", received: { subject: sub } }]);
  });

  it("loads no keys again for a token that is too large", async () => {
    const token = await rsa.sign({ ...claims, more: "x".repeat(8_192) });
    expect(await outcome(token)).toMatch(/^unauthenticated: a caller token is required/);
    expect(questions).toBe(1);
  });

  it("caches a valid token for a minute, and then finds its key gone", async () => {
    const subject = authenticator();
    const token = await rsa.sign(claims);
    expect(await outcome(token, subject)).toBe("gateway");
    published = { keys: [ec.jwk] };
    vi.advanceTimersByTime(59_000);
    expect(await outcome(token, subject)).toBe("gateway");
    // The wall clock is set back; the time passes all the same.
    vi.setSystemTime((NOW - 300) * 1_000);
    vi.advanceTimersByTime(4 * 60_000 + 2_000);
    expect(await outcome(token, subject)).toBe(NOT_VALID);
  });

  it("never caches a token beyond its expiry", async () => {
    const subject = authenticator();
    const token = await rsa.sign({ ...claims, exp: NOW + 10 });
    expect(await outcome(token, subject)).toBe("gateway");
    vi.setSystemTime((NOW + 16) * 1_000);
    expect(await outcome(token, subject)).toBe(NOT_VALID);
  });

  it("loads a new key, at most every ten seconds whatever strangers send", async () => {
    const subject = authenticator();
    expect(await outcome(await rsa.sign(claims), subject)).toBe("gateway");
    for (const _ of Array(20)) await outcome(await rsa.sign(claims, { kid: crypto.randomUUID() }), subject);
    expect(questions).toBe(1);
    const rotated = await serviceIssuer("new");
    published = { keys: [rsa.jwk, rotated.jwk] };
    vi.setSystemTime((NOW - 20) * 1_000);
    vi.advanceTimersByTime(11_000);
    expect(await outcome(await rotated.sign(claims), subject)).toBe("gateway");
    expect(questions).toBe(2);
  });

  it("uses its keys while the issuer is away", async () => {
    const subject = authenticator();
    expect(await outcome(await rsa.sign(claims), subject)).toBe("gateway");
    failure = new Error("away");
    vi.advanceTimersByTime(23 * 3_600_000);
    expect(await outcome(await rsa.sign(claims), subject)).toBe("gateway");
  });

  it("is unavailable where it never had any keys, and says why in the log", async () => {
    failure = new Error("away");
    expect(await outcome(await rsa.sign(claims))).toMatch(/^unavailable/);
    expect(log.lines).toMatchObject([
      { level: "error", kind: "caller", err: { message: "the JWKS can't be reached: away" } },
    ]);
  });

  it("isn't ready before it has keys, which it loads by itself, and stays ready when the issuer is away later", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout"], now: NOW * 1_000 });
    failure = new Error("refused");
    const subject = authenticator();
    const name = "keys of callers' tokens";
    expect(lifecycle.notReady()).toEqual([{ name, reason: "not loaded yet" }]);
    const reason = "not loaded yet: the JWKS can't be reached: refused";
    await vi.waitFor(() => expect(lifecycle.notReady()).toEqual([{ name, reason }]));
    failure = undefined;
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() => expect(lifecycle.notReady()).toEqual([]), { timeout: 60_000, interval: 5 });
    failure = new Error("away");
    expect(await outcome(await rsa.sign(claims), subject)).toBe("gateway");
    vi.advanceTimersByTime(25 * 3_600_000);
    expect(await outcome(await rsa.sign(claims), subject)).toMatch(/^unavailable/);
    expect(lifecycle.isReady()).toBe(true);
  });

  describe("together with named keys", () => {
    const key = new Uint8Array(32).fill(7);
    const both = () =>
      callerAuthenticator(
        { callerKeys: new Map([["operator", [key]]]), callerIssuer: callerIssuer(), ...observed() },
        AUDIENCE,
      );

    it("accepts both kinds of token", async () => {
      const subject = both();
      expect(await outcome(await rsa.sign(claims), subject)).toBe("gateway");
      const own = await signCallerToken({ name: "operator", key, audience: AUDIENCE }, NOW);
      expect(await outcome(own, subject)).toBe("operator");
    });

    it("lets no key sign for a subject, and no issuer for a key's name", async () => {
      const header = { alg: "HS256", kid: "operator" };
      const bySubject = new SignJWT({ ...claims, iss: SERVICE_ISSUER, iat: NOW, exp: NOW + 60 });
      expect(await outcome(await bySubject.setProtectedHeader(header).sign(key), both())).toBe(NOT_VALID);
      const byName = await rsa.sign(claims, { typ: TOKEN_TYPE, kid: "operator" });
      expect(await outcome(byName, both())).toBe(NOT_VALID);
    });

    it("asks for a token where there is none", async () => {
      await expect(both().authenticate(undefined)).rejects.toMatchObject({ code: "unauthenticated" });
    });
  });
});

function unsecured(): string {
  return new UnsecuredJWT({ ...claims, iss: SERVICE_ISSUER })
    .setIssuedAt(NOW)
    .setExpirationTime(NOW + 60)
    .encode();
}

function signedWithPublicKey(jwk: JWK): Promise<string> {
  const pem = createPublicKey({ key: { ...jwk }, format: "jwk" }).export({ type: "spki", format: "pem" });
  return new SignJWT({ ...claims, iss: SERVICE_ISSUER, iat: NOW, exp: NOW + 60 })
    .setProtectedHeader({ alg: "HS256", kid: jwk.kid ?? "" })
    .sign(new TextEncoder().encode(String(pem)));
}

async function signedAs(alg: string, kid: string): Promise<string> {
  const { privateKey } = await generateKeyPair(alg);
  return new SignJWT({ ...claims, iss: SERVICE_ISSUER, iat: NOW, exp: NOW + 60 })
    .setProtectedHeader({ alg, kid })
    .sign(privateKey);
}

function changed(token: string): string {
  const [header, , signature] = token.split(".");
  const payload = { ...claims, iss: SERVICE_ISSUER, iat: NOW, exp: NOW + 7_200 };
  return [header, Buffer.from(JSON.stringify(payload)).toString("base64url"), signature].join(".");
}
