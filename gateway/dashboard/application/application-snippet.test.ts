import { expect, it } from "vitest";
import { signInSnippet, verifierSnippet } from "./application-snippet.ts";

const OPTIONS = { issuer: "https://auth.example", clientId: "id", redirectUri: "https://app.example/callback" };
const NO_DEMANDS = {
  requirePushedAuthorizationRequests: false,
  dpopBoundAccessTokens: false,
  tokenEndpointAuthMethod: "none",
};

it("pushes the request of an application that must, and names what else it needs", () => {
  const usual = signInSnippet(OPTIONS);
  expect(signInSnippet({ ...OPTIONS, security: NO_DEMANDS })).toBe(usual);
  expect(usual).toContain("{client.buildAuthorizationUrl(config, parameters)}");
  const pushing = signInSnippet({ ...OPTIONS, security: { ...NO_DEMANDS, requirePushedAuthorizationRequests: true } });
  expect(pushing).toBe(usual.replace("client.buildAuthorizationUrl(", "await client.buildAuthorizationUrlWithPAR("));
  const security = { ...NO_DEMANDS, dpopBoundAccessTokens: true, tokenEndpointAuthMethod: "private_key_jwt" };
  expect(signInSnippet({ ...OPTIONS, security })).toMatch(
    /^\/\/ This application authenticates.*PrivateKeyJwt.*\n\/\/ This application binds its tokens.*getDPoPHandle.*\nimport /,
  );
});

it("says in the service that takes tokens that it refuses those of an application that binds them", () => {
  const options = { issuer: OPTIONS.issuer, audience: OPTIONS.issuer, clientId: "id", tenancy: "live" } as const;
  const usual = verifierSnippet(options);
  expect(usual).toMatch(/^import /);
  const bound = verifierSnippet({ ...options, bindsTokens: true });
  expect(bound).toMatch(/^\/\/ This application's tokens are bound.*\n\/\/ the DPoP proof.*cnf\.jkt.*\n/);
  expect(bound.endsWith(usual)).toBe(true);
});
