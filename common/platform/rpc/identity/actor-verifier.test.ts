import { describe, expect, it } from "vitest";
import { ISSUER, NOW_S, testIssuer } from "../../testing/test-issuer.ts";
import { actorVerifier } from "./actor-verifier.ts";

const ACCOUNT = "11111111-1111-4111-8111-111111111111";
const AUDIENCE = "tidemark.commitments";
const claims = { aud: AUDIENCE, sub: ACCOUNT, auth_time: NOW_S - 60 };

async function given() {
  const issuer = await testIssuer("tidemark-actor+jwt");
  const now = () => NOW_S * 1_000;
  return { issuer, verifier: actorVerifier({ jwks: issuer.jwks, issuer: ISSUER, audience: AUDIENCE, now }) };
}

describe("actorVerifier", () => {
  it("names the person and when they signed in", async () => {
    const { issuer, verifier } = await given();
    expect(await verifier.verify(await issuer.sign(claims))).toEqual({
      accountUuid: ACCOUNT,
      authenticatedAtMs: BigInt(NOW_S - 60) * 1_000n,
    });
  });

  it("names the session, if the token does", async () => {
    const { issuer, verifier } = await given();
    const sid = "22222222-2222-4222-8222-222222222222";
    expect(await verifier.verify(await issuer.sign({ ...claims, sid }))).toMatchObject({ sessionUuid: sid });
  });

  it.each<[string, object, object]>([
    ["of a session that is no UUID", { sid: "mine" }, {}],
    ["of a session that is no text", { sid: 7 }, {}],
    ["for another service", { aud: "tidemark.auth" }, {}],
    ["of another issuer", { iss: "https://evil.example" }, {}],
    ["that has expired", { iat: NOW_S - 126, exp: NOW_S - 6 }, {}],
    ["that lives for too long", { exp: NOW_S + 121 }, {}],
    ["without a time of sign-in", { auth_time: undefined }, {}],
    ["with a time of sign-in that is no number", { auth_time: "now" }, {}],
    ["with half a second", { auth_time: 1.5 }, {}],
    ["for no account", { sub: "me" }, {}],
    ["that is an access token", {}, { typ: "at+jwt" }],
    ["of an unknown key", {}, { kid: "two" }],
  ])("refuses a token %s", async (_, changed, header) => {
    const { issuer, verifier } = await given();
    const token = await issuer.sign({ ...claims, ...changed }, { ...header });
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("refuses a token of a key that was removed five seconds ago, and while auth is away, one of three minutes ago", async () => {
    const issuer = await testIssuer("tidemark-actor+jwt");
    const auth = { nowMs: NOW_S * 1_000, jwks: issuer.jwks };
    const monotonicNow = () => auth.nowMs;
    const options = { issuer: ISSUER, audience: AUDIENCE, now: () => NOW_S * 1_000, monotonicNow };
    const [one, other] = [1, 2].map(() => actorVerifier({ ...options, jwks: () => auth.jwks() }));
    const token = await issuer.sign({ ...claims, exp: NOW_S + 120 });
    for (const verifier of [one, other]) await verifier?.verify(token);
    auth.jwks = () => Promise.reject(new Error("away"));
    auth.nowMs += 60_000;
    await expect(other?.verify(token)).resolves.toBeDefined();
    auth.nowMs += 120_001;
    await expect(other?.verify(token)).rejects.toMatchObject({ code: "unavailable" });
    auth.nowMs -= 175_001;
    auth.jwks = async () => ({ keys: [] });
    await expect(one?.verify(token)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("refuses a forged token", async () => {
    const { verifier } = await given();
    const forger = await testIssuer("tidemark-actor+jwt");
    await expect(verifier.verify(await forger.sign(claims))).rejects.toMatchObject({ code: "unauthenticated" });
  });
});
