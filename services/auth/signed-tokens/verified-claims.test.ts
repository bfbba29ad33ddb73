import { inspect } from "node:util";
import { LRUCache } from "lru-cache";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { AccessTokenGrant } from "../base/issued-tokens.ts";
import { authContext, type TestContext } from "../testing/auth-context.ts";
import { ISSUER } from "../testing/test-auth-config.ts";
import { AccessTokens } from "./access-tokens.ts";

const GRANT: AccessTokenGrant = {
  clientUuid: "22222222-2222-4222-8222-222222222222",
  saleUuid: "11111111-1111-4111-8111-111111111111",
  tenancy: "test",
  accountUuid: "33333333-3333-4333-8333-333333333333",
  familyUuid: "44444444-4444-4444-8444-444444444444",
  subjectSalt: new Uint8Array(32).fill(5),
  scopes: [],
};

describe("the signature of an access token", () => {
  let context: TestContext;
  let accessTokens: AccessTokens;
  let token: string;
  const state = { verified: 0, hasKey: true };
  beforeEach(async () => {
    Object.assign(state, { verified: 0, hasKey: true });
    context = await authContext();
    const { keyRing, clock } = context;
    const watched: ConstructorParameters<typeof AccessTokens>[0]["keyRing"] = {
      sign: (...parameters) => keyRing.sign(...parameters),
      has: async (keyId) => state.hasKey && keyRing.has(keyId),
      verify: (...parameters) => {
        state.verified += 1;
        return keyRing.verify(...parameters);
      },
    };
    accessTokens = new AccessTokens({ keyRing: watched, clock, audience: ISSUER, ttlMs: 900_000 });
    token = (await accessTokens.issue(GRANT)).token;
  });

  it("is verified once, for the same claims", async () => {
    const first = await accessTokens.verify(token);
    expect(first).toMatchObject({ clientUuid: GRANT.clientUuid, familyUuid: GRANT.familyUuid });
    expect(await accessTokens.verify(token)).toEqual(first);
    expect(state.verified).toBe(1);
  });

  it("is remembered without the token itself", async () => {
    const set = vi.spyOn(LRUCache.prototype, "set");
    await accessTokens.verify(token);
    expect(set).toHaveBeenCalledOnce();
    expect(inspect(set.mock.calls, { depth: null, maxStringLength: null })).not.toContain(token);
    set.mockRestore();
    await accessTokens.verify(token);
    expect(state.verified).toBe(1);
  });

  it("is verified for each text, and each time for one that isn't valid", async () => {
    await accessTokens.verify(token);
    const forged = `${token.slice(0, -8)}${"A".repeat(8)}`;
    expect(await accessTokens.verify(forged)).toBeUndefined();
    expect(await accessTokens.verify(forged)).toBeUndefined();
    expect(state.verified).toBe(3);
  });

  it("is verified again once its key is gone, and from the token's expiry on", async () => {
    await accessTokens.verify(token);
    state.hasKey = false;
    await accessTokens.verify(token);
    expect(state.verified).toBe(2);
    state.hasKey = true;
    context.time.advance(900_000);
    await accessTokens.verify(token);
    expect(state.verified).toBe(3);
    context.time.advance(6_000);
    expect(await accessTokens.verify(token)).toBeUndefined();
  });
});
