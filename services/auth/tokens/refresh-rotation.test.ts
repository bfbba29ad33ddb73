import { describe, expect, it } from "vitest";
import { REFRESH_GRACE_MS, REFRESH_TOKEN_IDLE_MS, TOKEN_FAMILY_LIFETIME_MS } from "../base/lifetimes.ts";
import {
  type IssuedRefreshToken,
  judgeRefresh,
  refreshExpiry,
  refreshedScopes,
  type TokenFamily,
} from "./refresh-rotation.ts";
import type { TokenHolder } from "./token-holder.ts";
import type { TokenRefresh } from "./token-parameters.ts";

const CLIENT = "22222222-2222-4222-8222-222222222222";
const NOW = 1_000_000n;
const HOLDER: TokenHolder = {
  accountUuid: "a",
  clientUuid: CLIENT,
  saleUuid: "s",
  tenancy: "live" as const,
  subjectSalt: new Uint8Array(32),
  clientIsActive: true,
  clientIsConfidential: false,
  clientDemandsPush: false,
  clientDemandsDpop: false,
  clientIsValid: true,
  idTokenAlgorithm: "RS256",
  clientScopes: [
    { scope: "a", required: true },
    { scope: "b", required: false },
    { scope: "d", required: false },
  ],
  consentedScopes: ["b", "a", "d"],
};
const FAMILY: TokenFamily = {
  uuid: "f",
  holder: HOLDER,
  scopes: ["a", "b"],
  authenticatedAtMs: 0n,
  authenticatedBy: "code",
  idTokenSaysWhen: false,
  expiresAtMs: NOW + 10_000n,
  revoked: false,
  keyThumbprint: undefined,
};
const TOKEN: IssuedRefreshToken = {
  family: FAMILY,
  keyThumbprint: undefined,
  expiresAtMs: NOW + 1n,
  usedAtMs: undefined,
  successorUnused: false,
};
const REFRESH: TokenRefresh = {
  grantType: "refresh_token",
  refreshToken: "r",
  clientUuid: CLIENT,
  assertion: undefined,
  clientOptional: false,
  scopes: undefined,
};
const heldBy = (holder: Partial<TokenHolder>) => ({ ...TOKEN, family: familyOf(holder) });
const familyOf = (holder: Partial<TokenHolder>) => ({ ...FAMILY, holder: { ...HOLDER, ...holder } });
const WITHDRAWN: [string, Partial<TokenHolder>][] = [
  ["the user has taken back a scope", { consentedScopes: ["a"] }],
  ["the application isn't configured for it any more", { clientScopes: [{ scope: "a", required: true }] }],
];
const INSUFFICIENT: [string, Partial<TokenHolder>][] = [
  ["the user has taken back a required scope", { consentedScopes: ["b"] }],
  ["the user has withdrawn everything", { consentedScopes: [] }],
  ["an ungranted scope is required now", { clientScopes: [{ scope: "d", required: true }] }],
  ["another scope is required now", { clientScopes: [...HOLDER.clientScopes, { scope: "e", required: true }] }],
  ["the application isn't configured for any of the scopes", { clientScopes: [{ scope: "d", required: false }] }],
];
const usedFor = (milliseconds: bigint, successorUnused = true) => ({
  ...TOKEN,
  usedAtMs: NOW - milliseconds,
  successorUnused,
});

describe("judgeRefresh", () => {
  it("takes a token whose request names no client, as long as its own client is valid", () => {
    const nameless = { ...REFRESH, clientUuid: undefined };
    expect(judgeRefresh(nameless, TOKEN, NOW)).toBe("rotate");
    const ofDisabled = { ...TOKEN, family: { ...FAMILY, holder: { ...HOLDER, clientIsValid: false } } };
    expect(() => judgeRefresh(nameless, ofDisabled, NOW)).toThrow("invalid_grant");
  });

  it.each([
    ["an unused token", TOKEN, "rotate"],
    ["one that was used just now", usedFor(0n), "repeat"],
    ["one that was used ten seconds ago", usedFor(REFRESH_GRACE_MS), "repeat"],
    ["one that was used before that", usedFor(REFRESH_GRACE_MS + 1n), "reuse"],
    ["one whose successor was used", usedFor(1n, false), "reuse"],
    ["one that another process used, whose clock is ahead", usedFor(-500n), "repeat"],
  ])("%s", (_, token, verdict) => {
    expect(judgeRefresh(REFRESH, token, NOW)).toBe(verdict);
  });

  it.each([
    ["an expired token", {}, { ...TOKEN, expiresAtMs: NOW }, "invalid_grant: refresh_token is unknown or expired"],
    ["another client", { clientUuid: "x" }, TOKEN, "invalid_grant: refresh_token was issued to another client"],
    ["another client's reuse", { clientUuid: "x" }, usedFor(20_000n), "invalid_grant: refresh_token was issued to"],
    ["a revoked family", {}, { ...TOKEN, family: { ...FAMILY, revoked: true } }, "invalid_grant: the authorization"],
    [
      "an expired family",
      {},
      { ...TOKEN, family: { ...FAMILY, expiresAtMs: NOW } },
      "invalid_grant: the authorization",
    ],
    [
      "a client that is no longer valid",
      {},
      { ...TOKEN, family: { ...FAMILY, holder: { ...HOLDER, clientIsValid: false } } },
      "invalid_grant: the authorization",
    ],
    ["a wider scope", { scopes: ["a", "c"] }, TOKEN, "invalid_scope: scope must name only what is granted"],
    ["unknown scopes alone", { scopes: [] }, TOKEN, "invalid_scope: scope must name something that is granted"],
    ["a scope that was granted later", { scopes: ["a", "d"] }, TOKEN, "invalid_scope: scope must name only"],
    ["a wider scope of a repeat", { scopes: ["c"] }, usedFor(1n), "invalid_scope: scope must name only"],
  ])("refuses %s", (_, changes, token, message) => {
    expect(() => judgeRefresh({ ...REFRESH, ...changes }, token, NOW)).toThrow(message);
  });

  describe("of a family that is bound to a key", () => {
    const family = { ...FAMILY, keyThumbprint: "own" };
    const proofOf = (keyThumbprint: string) => ({ keyThumbprint, proofId: "p", requestId: "q" });
    const before = { ...usedFor(1n), family };
    const bound = { ...before, keyThumbprint: "own" };

    it("repeats a token for the key that has used it, bound or not", () => {
      for (const token of [before, bound]) expect(judgeRefresh(REFRESH, token, NOW, proofOf("own"))).toBe("repeat");
    });

    it("notices the reuse of a token from before by whoever lacks the key, even where the client demands a proof", () => {
      const demanding = { ...before, family: { ...family, holder: { ...HOLDER, clientDemandsDpop: true } } };
      for (const token of [before, demanding]) {
        expect(judgeRefresh(REFRESH, token, NOW)).toBe("reuse");
        expect(judgeRefresh(REFRESH, token, NOW, proofOf("other"))).toBe("reuse");
      }
    });

    it("refuses a token that is bound without the key, used or not, and changes nothing", () => {
      for (const token of [bound, { ...bound, usedAtMs: undefined }, { ...bound, usedAtMs: 0n }]) {
        expect(() => judgeRefresh(REFRESH, token, NOW)).toThrow("invalid_grant: the DPoP proof");
        expect(() => judgeRefresh(REFRESH, token, NOW, proofOf("other"))).toThrow("invalid_grant: the DPoP proof");
      }
    });
  });

  it.each(WITHDRAWN)("refuses a scope after %s", (_, holder) => {
    expect(judgeRefresh(REFRESH, heldBy(holder), NOW)).toBe("rotate");
    expect(() => judgeRefresh({ ...REFRESH, scopes: ["a", "b"] }, heldBy(holder), NOW)).toThrow("invalid_scope");
  });

  it.each(INSUFFICIENT)("refuses the grant where %s, but notices reuse first", (_, holder) => {
    const message = "invalid_grant: the user no longer grants what the client requires";
    expect(() => judgeRefresh(REFRESH, heldBy(holder), NOW)).toThrow(message);
    expect(() => judgeRefresh(REFRESH, { ...usedFor(1n), family: familyOf(holder) }, NOW)).toThrow(message);
    expect(judgeRefresh(REFRESH, { ...usedFor(1n, false), family: familyOf(holder) }, NOW)).toBe("reuse");
  });
});

describe("refreshedScopes", () => {
  it("are all scopes of the grant, or those named", () => {
    expect(refreshedScopes(REFRESH, FAMILY)).toEqual(["a", "b"]);
    expect(refreshedScopes({ ...REFRESH, scopes: ["b"] }, FAMILY)).toEqual(["b"]);
  });

  it.each(WITHDRAWN)("are fewer where %s", (_, holder) => {
    expect(refreshedScopes(REFRESH, familyOf(holder))).toEqual(["a"]);
  });
});

it("a refresh token ends with its idle time or its family", () => {
  expect(refreshExpiry(NOW + TOKEN_FAMILY_LIFETIME_MS, NOW)).toBe(NOW + REFRESH_TOKEN_IDLE_MS);
  expect(refreshExpiry(NOW + 5n, NOW)).toBe(NOW + 5n);
});
