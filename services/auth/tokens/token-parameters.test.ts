import { describe, expect, it } from "vitest";
import { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { readRevocation, readTokenParameters } from "./token-parameters.ts";

const UUID = "22222222-2222-4222-8222-222222222222";
const VERIFIER = "v".repeat(43);
const EXCHANGE = { grant_type: "authorization_code", code: "c", code_verifier: VERIFIER };
const REFRESH = { grant_type: "refresh_token", refresh_token: "r", client_id: UUID };

type Sent = Readonly<Record<string, string | readonly string[]>>;
const parametersOf = (sent: Sent) =>
  new OAuthParameters(
    Object.entries(sent).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value }))),
  );
const read = (sent: Sent) => readTokenParameters(parametersOf(sent));

describe("readTokenParameters", () => {
  it("reads an exchange", () => {
    const exchange = { grantType: "authorization_code", clientOptional: false, code: "c", codeVerifier: VERIFIER };
    expect(read(EXCHANGE)).toEqual({ ...exchange, clientUuid: undefined, redirectUri: undefined });
    const sent = { client_id: UUID.toUpperCase(), redirect_uri: "https://app.example/cb", client_secret: "" };
    expect(read({ ...EXCHANGE, ...sent })).toEqual({
      ...exchange,
      clientUuid: UUID,
      redirectUri: "https://app.example/cb",
    });
  });

  it("reads a refresh", () => {
    const refresh = { grantType: "refresh_token", clientOptional: false, refreshToken: "r", clientUuid: UUID };
    expect(read(REFRESH)).toEqual({ ...refresh, scopes: undefined });
    expect(read({ ...REFRESH, scope: " openid  profile read_entities" })).toEqual({
      ...refresh,
      scopes: ["openid", "read_entities"],
    });
    expect(read({ ...REFRESH, scope: "" })).toEqual({ ...refresh, scopes: undefined });
  });

  it("reads a refresh without client_id only where the token may tell the client", () => {
    const nameless = parametersOf({ ...REFRESH, client_id: [] });
    expect(readTokenParameters(nameless, true)).toMatchObject({ refreshToken: "r", clientUuid: undefined });
    expect(() => readTokenParameters(nameless)).toThrow("client_id is missing");
    expect(() => readTokenParameters(parametersOf({ ...REFRESH, client_id: "app" }), true)).toThrow("invalid_client");
  });

  const NO_GRANT: Sent = { code: "c", code_verifier: VERIFIER };
  it.each<[string, Sent, string]>([
    ["no grant_type", NO_GRANT, "invalid_request: grant_type is missing"],
    ["an empty grant_type", { ...NO_GRANT, grant_type: "" }, "invalid_request: grant_type is missing"],
    ["another grant_type", { grant_type: "password" }, "unsupported_grant_type: grant_type must be"],
    ["another case", { grant_type: "Authorization_Code" }, "unsupported_grant_type: grant_type must be"],
    [
      "grant_type twice",
      { ...EXCHANGE, grant_type: ["authorization_code", "refresh_token"] },
      "invalid_request: grant",
    ],
    ["no code", { ...EXCHANGE, code: [] }, "invalid_request: code is missing"],
    ["an empty code", { ...EXCHANGE, code: "" }, "invalid_request: code is missing"],
    ["code twice", { ...EXCHANGE, code: ["c", "c"] }, "invalid_request: code is sent more than once"],
    ["an unprintable code", { ...EXCHANGE, code: "c\n" }, "invalid_request: code must be printable ASCII"],
    ["no code_verifier", { ...EXCHANGE, code_verifier: [] }, "invalid_request: code_verifier is missing"],
    ["a short code_verifier", { ...EXCHANGE, code_verifier: "v".repeat(42) }, "invalid_request: code_verifier must"],
    ["a long code_verifier", { ...EXCHANGE, code_verifier: "v".repeat(129) }, "invalid_request: code_verifier must"],
    ["a client_id that is none", { ...EXCHANGE, client_id: "app" }, "invalid_client: client_id must be a UUID"],
    ["the same without a grant_type", { client_id: "app" }, "invalid_client: client_id must be a UUID"],
    ["a client_secret", { ...EXCHANGE, client_id: UUID, client_secret: "s" }, "invalid_client: no client has a secret"],
    ["a client_secret in a refresh", { ...REFRESH, client_secret: "s" }, "invalid_client: no client has a secret"],
    [
      "half of an assertion",
      { ...REFRESH, client_assertion: "e30.e30.s" },
      "invalid_client: client_assertion_type must",
    ],
    ["client_secret twice", { ...REFRESH, client_secret: ["s", ""] }, "invalid_request: client_secret is sent more"],
    ["client_id twice", { ...EXCHANGE, client_id: [UUID, UUID] }, "invalid_request: client_id is sent more than once"],
    ["redirect_uri twice", { ...EXCHANGE, redirect_uri: ["a", "b"] }, "invalid_request: redirect_uri is sent more"],
    ["anything twice", { ...EXCHANGE, x: ["a", "b"] }, "invalid_request: an unknown parameter is sent more than once"],
    ["no refresh_token", { ...REFRESH, refresh_token: [] }, "invalid_request: refresh_token is missing"],
    ["an unprintable refresh_token", { ...REFRESH, refresh_token: "é" }, "invalid_request: refresh_token must be"],
    ["a refresh without client_id", { ...REFRESH, client_id: [] }, "invalid_request: client_id is missing"],
    ["a refresh with an empty client_id", { ...REFRESH, client_id: "" }, "invalid_request: client_id is missing"],
    ["a scope that is none", { ...REFRESH, scope: "a\tb" }, "invalid_scope: scope must be"],
  ])("refuses %s", (_, sent, message) => {
    expect(() => read(sent)).toThrow(message);
    expect(() => read(sent)).toThrow(/^[ !#-[\]-~]+$/);
  });
});

describe("readRevocation", () => {
  it("reads a token; the hint isn't needed", () => {
    expect(readRevocation(parametersOf({ token: "t", token_type_hint: "any" }))).toEqual({ token: "t" });
    expect(readRevocation(parametersOf({ token: "t", client_id: UUID }))).toEqual({ token: "t", clientUuid: UUID });
  });

  it.each<[Sent, string]>([
    [{}, "invalid_request: token is missing"],
    [{ token: ["a", "a"] }, "invalid_request: token is sent more than once"],
    [{ token: "t\0" }, "invalid_request: token must be printable ASCII"],
    [{ token: "t", client_id: "x" }, "invalid_client: client_id must be a UUID"],
    [{ token: "t", client_id: [UUID, UUID] }, "invalid_request: client_id is sent more than once"],
    [{ token: "t", client_id: UUID, client_secret: "s" }, "invalid_client: no client has a secret"],
    [{ client_secret: "s" }, "invalid_client: no client has a secret"],
  ])("refuses %j", (sent, message) => {
    expect(() => readRevocation(parametersOf(sent))).toThrow(message);
  });
});
