import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type ClientSecurity, checkSecurity, DEFAULT_SECURITY, weakensSecurity } from "./application-security.ts";
import { readJwks } from "./public-jwk.ts";

const jwksOf = (kid: string) => {
  const key = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  return JSON.stringify({ keys: [{ ...key, kid }] });
};
const entered = { ...DEFAULT_SECURITY, jwks: "" };
const rulesOf = (change: Partial<typeof entered>, tenancy: "test" | "live" = "live") =>
  checkSecurity({ ...entered, ...change }, tenancy).violations.map(({ field, rule }) => [field, rule]);

describe("checkSecurity", () => {
  it("takes the default settings, and every setting changed", () => {
    expect(checkSecurity(entered, "live")).toEqual({ security: DEFAULT_SECURITY, violations: [] });
    const all = {
      requirePushedAuthorizationRequests: true,
      dpopBoundAccessTokens: true,
      idTokenSignedResponseAlg: "ES256",
      tokenEndpointAuthMethod: "private_key_jwt",
      jwks: jwksOf("one"),
      postLogoutRedirectUris: ["https://app.example/bye"],
    } as const;
    const { security, violations } = checkSecurity(all, "live");
    expect(violations).toEqual([]);
    expect(security).toMatchObject({ ...all, jwks: [{ kid: "one", crv: "Ed25519" }] });
  });

  it("takes keys before they are used, and no use without keys", () => {
    expect(rulesOf({ jwks: jwksOf("one") })).toEqual([]);
    expect(rulesOf({ tokenEndpointAuthMethod: "private_key_jwt" })).toEqual([
      ["definition.security.jwks", "jwks.needed"],
    ]);
    expect(rulesOf({ tokenEndpointAuthMethod: "private_key_jwt", jwks: "x" })).toEqual([
      ["definition.security.jwks", "jwks.format"],
    ]);
  });

  it("checks post-logout redirect URIs as redirect URIs", () => {
    const uris = ["https://app.example/bye", "http://127.0.0.1/bye", "https://app.example/#bye"];
    expect(rulesOf({ postLogoutRedirectUris: uris })).toEqual([
      ["definition.security.post_logout_redirect_uris[1]", "redirect_uri.loopback"],
      ["definition.security.post_logout_redirect_uris[2]", "redirect_uri.fragment"],
    ]);
    expect(rulesOf({ postLogoutRedirectUris: uris.slice(0, 2) }, "test")).toEqual([]);
  });
});

describe("weakensSecurity", () => {
  const { jwks } = readJwks(jwksOf("one"), "jwks");
  const strong: ClientSecurity = {
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true,
    idTokenSignedResponseAlg: "ES256",
    tokenEndpointAuthMethod: "private_key_jwt",
    jwks,
    postLogoutRedirectUris: ["https://app.example/bye"],
  };

  it.each<[keyof ClientSecurity, Partial<ClientSecurity>]>([
    ["requirePushedAuthorizationRequests", { requirePushedAuthorizationRequests: false }],
    ["dpopBoundAccessTokens", { dpopBoundAccessTokens: false }],
    ["tokenEndpointAuthMethod", { tokenEndpointAuthMethod: "none" }],
    ["jwks", { jwks: [...jwks, ...readJwks(jwksOf("two"), "jwks").jwks] }],
    ["jwks", { jwks: readJwks(jwksOf("one"), "jwks").jwks }],
    ["postLogoutRedirectUris", { postLogoutRedirectUris: [] }],
  ])("is true for a change of %s to %j", (_, change) => {
    expect(weakensSecurity(strong, { ...strong, ...change })).toBe(true);
  });

  it("is false for demands that are switched on, and for another algorithm", () => {
    const before = { ...strong, requirePushedAuthorizationRequests: false, dpopBoundAccessTokens: false };
    expect(weakensSecurity(before, strong)).toBe(false);
    expect(weakensSecurity(strong, { ...strong, idTokenSignedResponseAlg: "RS256" })).toBe(false);
    expect(weakensSecurity(strong, strong)).toBe(false);
  });
});
