import { describe, expect, it } from "vitest";
import {
  FAMILY_LIFETIME_MS,
  type IssuedRefreshToken,
  judgeRefresh,
  REFRESH_GRACE_MS,
  REFRESH_IDLE_MS,
  refreshExpiry,
  refreshedScopes,
  type TokenFamily,
} from "./refresh-rotation.ts";
import type { TokenRefresh } from "./token-parameters.ts";

const CLIENT = "22222222-2222-4222-8222-222222222222";
const NOW = 1_000_000n;
const HOLDER = {
  accountUuid: "a",
  clientUuid: CLIENT,
  saleUuid: "s",
  subjectSalt: new Uint8Array(32),
  clientIsValid: true,
};
const FAMILY: TokenFamily = {
  uuid: "f",
  holder: HOLDER,
  scopes: ["a", "b"],
  authenticatedAtMs: 0n,
  expiresAtMs: NOW + 10_000n,
  revoked: false,
};
const TOKEN: IssuedRefreshToken = {
  family: FAMILY,
  expiresAtMs: NOW + 1n,
  usedAtMs: undefined,
  successorUnused: false,
};
const REFRESH: TokenRefresh = { grantType: "refresh_token", refreshToken: "r", clientUuid: CLIENT, scopes: undefined };
const usedFor = (milliseconds: bigint, successorUnused = true) => ({
  ...TOKEN,
  usedAtMs: NOW - milliseconds,
  successorUnused,
});

describe("judgeRefresh", () => {
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
    ["a wider scope", { scopes: ["a", "c"] }, TOKEN, "invalid_scope: scope must name only what was granted"],
    ["a wider scope of a repeat", { scopes: ["c"] }, usedFor(1n), "invalid_scope: scope must name only"],
  ])("refuses %s", (_, changes, token, message) => {
    expect(() => judgeRefresh({ ...REFRESH, ...changes }, token, NOW)).toThrow(message);
  });
});

it("the access token of a refresh has all scopes, or those named", () => {
  expect(refreshedScopes(REFRESH, FAMILY)).toEqual(["a", "b"]);
  expect(refreshedScopes({ ...REFRESH, scopes: ["b"] }, FAMILY)).toEqual(["b"]);
});

it("a refresh token ends with its idle time or its family", () => {
  expect(refreshExpiry(NOW + FAMILY_LIFETIME_MS, NOW)).toBe(NOW + REFRESH_IDLE_MS);
  expect(refreshExpiry(NOW + 5n, NOW)).toBe(NOW + 5n);
});
