import { SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../errors/service-error.ts";
import { signCallerToken, TOKEN_TYPE } from "./caller-token.ts";
import { namedKeyAuthenticator } from "./named-key-authenticator.ts";

const audience = "tidemark.commitments";
const key = new Uint8Array(32).fill(1);
const newKey = new Uint8Array(32).fill(2);
const foreignKey = new Uint8Array(32).fill(3);
const keys = new Map([
  ["gateway", [key, newKey]],
  ["indexer", [foreignKey]],
]);
const now = 1_800_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: now * 1_000 }));
afterEach(() => void vi.useRealTimers());

const authenticator = () => namedKeyAuthenticator({ keys, audience });
const outcome = async (authorization: string | undefined, subject = authenticator()) => {
  try {
    return (await subject.authenticate(authorization)).name;
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code}: ${error.message}`;
    throw error;
  }
};

interface Forgery {
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
  readonly key?: Uint8Array;
}

function forge({ header = {}, claims = {}, key: signingKey = key }: Forgery): Promise<string> {
  return new SignJWT({ aud: audience, iat: now, exp: now + 300, ...claims })
    .setProtectedHeader({ alg: "HS256", typ: TOKEN_TYPE, kid: "gateway", ...header })
    .sign(signingKey);
}

describe("namedKeyAuthenticator", () => {
  it.each([key, newKey])("accepts each key of a name", async (each) => {
    expect(await outcome(`Bearer ${await forge({ key: each })}`)).toBe("gateway");
  });

  it("accepts the tokens of callers, and the scheme in any case", async () => {
    const token = await signCallerToken({ name: "indexer", key: foreignKey, audience }, now);
    expect(await outcome(`bearer ${token}`)).toBe("indexer");
  });

  it.each([undefined, "", "Bearer", "Bearer x", "Basic eDp5", "Bearer a.b.c d", `Bearer ${"a".repeat(3_000)}.b.c`])(
    "asks for a token where the header is %s",
    async (authorization) => {
      expect(await outcome(authorization)).toBe(
        "unauthenticated: a caller token is required: authorization: Bearer <JWT>",
      );
    },
  );

  it.each<[string, Forgery]>([
    ["signed by another caller", { key: foreignKey }],
    ["of an unknown caller", { header: { kid: "stranger" } }],
    ["without a caller", { header: { kid: undefined } }],
    ["for another service", { claims: { aud: "tidemark.auth" } }],
    ["without an audience", { claims: { aud: undefined } }],
    ["of another type", { header: { typ: "at+jwt" } }],
    ["of another algorithm", { header: { alg: "HS512" }, key: new Uint8Array(64).fill(1) }],
    ["without expiry", { claims: { exp: undefined } }],
    ["without time of issue", { claims: { iat: undefined } }],
  ])("refuses a token %s", async (_, forgery) => {
    expect(await outcome(`Bearer ${await forge(forgery)}`)).toBe("unauthenticated: the caller token is not valid");
  });

  it("refuses tokens that aren't signed, or whose header is no JSON", async () => {
    const unsecured = new UnsecuredJWT({ aud: audience })
      .setIssuedAt(now)
      .setExpirationTime(now + 300)
      .encode();
    expect(await outcome(`Bearer ${unsecured}`)).toMatch(/^unauthenticated/);
    expect(await outcome("Bearer e30x.e30.AAAA")).toBe("unauthenticated: the caller token is not valid");
  });

  it("refuses a changed payload", async () => {
    const [header, , signature] = (await forge({})).split(".");
    const payload = Buffer.from(JSON.stringify({ aud: audience, iat: now, exp: now + 301 })).toString("base64url");
    expect(await outcome(`Bearer ${header}.${payload}.${signature}`)).toBe(
      "unauthenticated: the caller token is not valid",
    );
  });

  it("refuses a token that expired, beyond 5 s", async () => {
    const expired = (seconds: number) => forge({ claims: { iat: now - 100, exp: now - seconds } });
    expect(await outcome(`Bearer ${await expired(4)}`)).toBe("gateway");
    expect(await outcome(`Bearer ${await expired(6)}`)).toBe("unauthenticated: the caller token has expired");
  });

  it.each<[string, Forgery["claims"], string]>([
    ["was issued a minute ahead", { iat: now + 60 }, "gateway"],
    ["begins a minute ahead", { nbf: now + 60 }, "gateway"],
    ["was issued 61 s ahead", { iat: now + 61 }, "unauthenticated: the caller token is of a time that has not come"],
    ["begins 61 s ahead", { nbf: now + 61 }, "unauthenticated: the caller token is of a time that has not come"],
  ])("bears clocks that differ by a minute, and none that differ by more: one that %s", async (_, claims, expected) => {
    expect(await outcome(`Bearer ${await forge({ claims: { ...claims } })}`)).toBe(expected);
  });

  it("accepts what a caller sends whose clock is a minute ahead or behind, and says of one beyond that it is the time", async () => {
    const sentAt = async (seconds: number) => `Bearer ${await signCallerToken(gateway, now + seconds)}`;
    const gateway = { name: "gateway", key, audience };
    // A caller uses a token for 240 s by its own clock.
    for (const seconds of [60, 0, -240, -240 - 60]) expect(await outcome(await sentAt(seconds))).toBe("gateway");
    for (const seconds of [61, -240 - 66])
      await expect(authenticator().authenticate(await sentAt(seconds))).rejects.toMatchObject({
        violations: [{ field: "authorization", rule: "caller_token.time" }],
      });
  });

  it("refuses a token that lives longer than 10 minutes", async () => {
    expect(await outcome(`Bearer ${await forge({ claims: { exp: now + 600 } })}`)).toBe("gateway");
    expect(await outcome(`Bearer ${await forge({ claims: { exp: now + 601 } })}`)).toMatch(/lives longer than 600 s/);
  });

  it("caches a valid token until it expires, and no longer", async () => {
    const subject = authenticator();
    const token = await forge({});
    const first = await subject.authenticate(`Bearer ${token}`);
    expect(await subject.authenticate(`Bearer ${token}`)).toBe(first);
    vi.setSystemTime((now + 306) * 1_000);
    expect(await outcome(`Bearer ${token}`, subject)).toBe("unauthenticated: the caller token has expired");
  });

  it("drops the oldest token beyond 1,000", async () => {
    const subject = authenticator();
    const tokens = await Promise.all(
      Array.from({ length: 1_001 }, (_, index) => forge({ claims: { jti: String(index) } })),
    );
    const [first] = tokens;
    const remembered = await subject.authenticate(`Bearer ${first}`);
    for (const token of tokens.slice(1)) await subject.authenticate(`Bearer ${token}`);
    expect(await subject.authenticate(`Bearer ${first}`)).not.toBe(remembered);
  });
});
