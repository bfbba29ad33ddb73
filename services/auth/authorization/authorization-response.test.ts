import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import { codeUrl, errorUrl } from "./authorization-response.ts";

const issuer = "https://auth.example";

describe("an authorization response", () => {
  it.each([
    ["https://app.example/cb", "https://app.example/cb?code=c&state=s&iss=https%3A%2F%2Fauth.example"],
    ["https://app.example/cb?x=1", "https://app.example/cb?x=1&code=c&state=s&iss=https%3A%2F%2Fauth.example"],
    ["https://app.example/cb?", "https://app.example/cb?code=c&state=s&iss=https%3A%2F%2Fauth.example"],
    ["https://app.example/cb?x&", "https://app.example/cb?x&code=c&state=s&iss=https%3A%2F%2Fauth.example"],
  ])("is appended to %s", (redirectUri, url) => {
    expect(codeUrl({ redirectUri, state: "s", issuer }, "c")).toBe(url);
  });

  it("has no state if the request had none", () => {
    const url = errorUrl({ redirectUri: "https://app.example/", state: undefined, issuer }, refusal());
    expect(url).toBe(
      "https://app.example/?error=access_denied&error_description=the+user+has+refused&iss=https%3A%2F%2Fauth.example",
    );
  });

  it("returns any state exactly, and lets it add no parameter", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{1,100}$/), (state) => {
        const { searchParams, hash } = new URL(
          codeUrl({ redirectUri: "https://app.example/?x=1", state, issuer }, "c"),
        );
        expect([...searchParams]).toEqual([
          ["x", "1"],
          ["code", "c"],
          ["state", state],
          ["iss", issuer],
        ]);
        expect(hash).toBe("");
      }),
    );
  });
});

function refusal() {
  return new OAuthError("access_denied", "the user has refused");
}
