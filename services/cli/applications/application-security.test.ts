import { describe, expect, it } from "vitest";
import { changedSecurity } from "./application-security.ts";

const read = (given: Readonly<Record<string, string | string[]>>, jwks?: string) => {
  const texts = (option: string) => [given[option] ?? []].flat();
  return changedSecurity({ positionals: [], text: (option) => texts(option)[0], texts, flag: () => false }, jwks);
};

describe("changedSecurity", () => {
  it("has only what is named", () => {
    expect(read({})).toEqual({});
    expect(read({ "demand-push": "on", "demand-dpop": "off" })).toEqual({
      requirePushedAuthorizationRequests: true,
      dpopBoundAccessTokens: false,
    });
    expect(read({ "id-token-alg": "ES256", authentication: "private_key_jwt" }, "{}")).toEqual({
      idTokenSignedResponseAlg: "ES256",
      tokenEndpointAuthMethod: "private_key_jwt",
      jwks: "{}",
    });
  });

  it("replaces all post-logout URIs, by none where one is empty", () => {
    const uris = ["https://a.example/", "https://b.example/"];
    expect(read({ "post-logout-uri": uris })).toEqual({ postLogoutRedirectUris: uris });
    expect(read({ "post-logout-uri": "" })).toEqual({ postLogoutRedirectUris: [] });
  });

  it("takes demands as on and off only", () => {
    expect(() => read({ "demand-push": "yes" })).toThrow("--demand-push must be on or off");
    expect(() => read({ "demand-dpop": "" })).toThrow("--demand-dpop must be on or off");
  });
});
