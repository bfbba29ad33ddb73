import { expect, it } from "vitest";
import { clientChanges } from "./application-changes.ts";
import { type ClientSecurity, DEFAULT_SECURITY } from "./application-security.ts";
import { jwkThumbprint } from "./public-jwk.ts";

const definition = {
  name: "Portal",
  redirectUris: ["https://a.example/", "https://b.example/"],
  scopes: [{ scope: "read_entities", required: true }],
  security: DEFAULT_SECURITY,
};

it("names each setting that changed, with both values", () => {
  const after = {
    name: "Pier",
    redirectUris: ["https://c.example/", "https://a.example/"],
    scopes: [
      { scope: "contact_email", required: false },
      { scope: "read_entities", required: false },
    ],
    security: DEFAULT_SECURITY,
  };
  expect(clientChanges(definition, after)).toEqual([
    { field: "Name", before: "Portal", after: "Pier" },
    { field: "read_entities", before: "required", after: "optional" },
    { field: "contact_email", before: "off", after: "optional" },
    { field: "Redirect URI", before: "https://b.example/", after: "" },
    { field: "Redirect URI", before: "", after: "https://c.example/" },
  ]);
});

it("names security settings, each key with its thumbprint", () => {
  const key = { kty: "OKP", crv: "Ed25519", x: "A".repeat(43), kid: "one", use: "sig" } as const;
  const security: ClientSecurity = {
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true,
    idTokenSignedResponseAlg: "ES256",
    tokenEndpointAuthMethod: "private_key_jwt",
    jwks: [key],
    postLogoutRedirectUris: ["https://a.example/bye"],
  };
  const text = `one (OKP, ${jwkThumbprint(key)})`;
  expect(clientChanges(definition, { ...definition, security })).toEqual([
    { field: "Pushed authorization requests", before: "optional", after: "required" },
    { field: "DPoP", before: "optional", after: "required" },
    { field: "ID token algorithm", before: "RS256", after: "ES256" },
    { field: "Client authentication", before: "none", after: "private_key_jwt" },
    { field: "Public key", before: "", after: text },
    { field: "Post-logout redirect URI", before: "", after: "https://a.example/bye" },
  ]);
});

it("names none where nothing changed, in whatever order", () => {
  expect(clientChanges(definition, { ...definition, redirectUris: definition.redirectUris.toReversed() })).toEqual([]);
});
