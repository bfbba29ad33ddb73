import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { authContext } from "../testing/auth-context.ts";
import { ISSUER } from "../testing/test-auth-config.ts";

const actor = {
  accountUuid: "33333333-3333-4333-8333-333333333333",
  authenticatedAtMs: 1_700_000_000_000n,
  sessionUuid: "44444444-4444-4444-8444-444444444444",
  authenticatedBy: "passkey" as const,
};

describe("ActorTokens", () => {
  it("name the account, the session, the sign-in and the service, and expire after two minutes", async () => {
    const { actorTokens, time } = await authContext();
    const { token, expiresAtMs } = await actorTokens.issue(actor, "tidemark.commitments");
    const iat = Number(time.now() / 1_000n);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: "ES256", typ: "tidemark-actor+jwt" });
    expect(decodeJwt(token)).toEqual({
      iss: ISSUER,
      aud: "tidemark.commitments",
      sub: actor.accountUuid,
      auth_time: 1_700_000_000,
      sid: actor.sessionUuid,
      authenticated_by: "passkey",
      iat,
      exp: iat + 120,
    });
    expect(expiresAtMs).toBe(time.now() + 120_000n);
  });

  it("don't say how the person signed in where that isn't known", async () => {
    const { actorTokens } = await authContext();
    const { authenticatedBy: _, ...old } = actor;
    const { token } = await actorTokens.issue(old, "tidemark.auth");
    expect(await actorTokens.verify(token)).toEqual(old);
  });

  it("are verified by auth only if auth is their audience and they are valid", async () => {
    const { actorTokens, accessTokens, time } = await authContext();
    const { token } = await actorTokens.issue(actor, "tidemark.auth");
    const refusal = { code: "unauthenticated" };
    expect(await actorTokens.verify(token)).toEqual(actor);
    const foreign = await actorTokens.issue(actor, "tidemark.commitments");
    await expect(actorTokens.verify(foreign.token)).rejects.toMatchObject(refusal);
    const uuid = actor.accountUuid;
    const names = { clientUuid: uuid, saleUuid: uuid, tenancy: "live" as const, familyUuid: uuid };
    const grant = { ...actor, ...names, subjectSalt: new Uint8Array(32), scopes: [] };
    const access = await accessTokens.issue(grant);
    await expect(actorTokens.verify(access.token)).rejects.toMatchObject(refusal);
    time.advance(126_000);
    await expect(actorTokens.verify(token)).rejects.toMatchObject(refusal);
  });
});
