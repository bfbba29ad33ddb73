import { describe, expect, it } from "vitest";
import type { Client } from "../applications/application.ts";
import { DEFAULT_SECURITY } from "../applications/definition/application-security.ts";
import { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import {
  echoedState,
  readAuthorizationParameters,
  requestedClientUuid,
  requestedRedirectUri,
} from "./authorization-parameters.ts";
import { wantsNoPage } from "./openid-parameters.ts";

const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const UUID = "22222222-2222-4222-8222-222222222222";
const CLIENT: Client = {
  uuid: UUID,
  saleUuid: "11111111-1111-4111-8111-111111111111",
  saleName: "Sale",
  tenancy: "live",
  status: "active",
  definition: {
    name: "App",
    redirectUris: ["https://app.example/cb"],
    scopes: [
      { scope: "read_entities", required: true },
      { scope: "sale_eligibility_check", required: true },
      { scope: "contact_email", required: false },
    ],
    security: DEFAULT_SECURITY,
  },
  squareLogo: "a".repeat(64),
  wideLogo: "b".repeat(64),
  version: 1n,
  createdAtMs: 0n,
};
const CALLBACK = "https://app.example/cb";
const VALID = { response_type: "code", code_challenge: CHALLENGE, code_challenge_method: "S256" };
const REQUIRED = ["read_entities", "sale_eligibility_check"];
const OPENID = { scope: "openid" };
const LONG = "n".repeat(512);
const ALL = ["read_entities", "sale_eligibility_check", "contact_email"];

/** Valid parameters with some replaced. A list sends the parameter once for each value; an empty list omits it. */
const parametersWith = (changes: Readonly<Record<string, string | readonly string[]>>) =>
  new OAuthParameters(
    Object.entries({ ...VALID, ...changes }).flatMap(([name, values]) =>
      [values].flat().map((value) => ({ name, value })),
    ),
  );
const read = (changes: Parameters<typeof parametersWith>[0]) =>
  readAuthorizationParameters(parametersWith(changes), CLIENT);

describe("readAuthorizationParameters", () => {
  it.each([
    ["the least", { code_challenge_method: [] }, {}],
    ["no scope: all", {}, { scopes: ALL }],
    ["an empty scope: all", { scope: "" }, { scopes: ALL }],
    ["required scopes always", { scope: "contact_email" }, { scopes: ALL }],
    ["fewer scopes", { scope: "read_entities" }, { scopes: ["read_entities", "sale_eligibility_check"] }],
    ["state", { state: "x y~!" }, { state: "x y~!" }],
    ["the longest state", { state: "s".repeat(2_000) }, { state: "s".repeat(2_000) }],
    ["an empty state: none", { state: "" }, { state: undefined }],
    ["response_mode", { response_mode: "query" }, {}],
    ["prompt=login", { prompt: "login" }, { prompts: ["login"] }],
    ["prompt=consent", { prompt: "consent" }, { prompts: ["consent"] }],
    ["prompt=none", { prompt: "none" }, {}],
    ["prompt=select_account", { prompt: "select_account" }, { prompts: ["select_account"] }],
    ["several prompts, in any order", { prompt: "consent login consent" }, { prompts: ["login", "consent"] }],
    ["openid alone: with the required scopes", { scope: "openid" }, { scopes: ["openid", ...REQUIRED] }],
    ["what Auth.js asks for", { scope: "openid profile email" }, { scopes: ["openid", ...REQUIRED] }],
    ["surplus spaces", { scope: "  openid   contact_email " }, { scopes: ["openid", ...ALL] }],
    ["unknown scopes alone: the required ones", { scope: "offline_access admin" }, { scopes: REQUIRED }],
    ["scopes in other case: unknown", { scope: "OpenID READ_ENTITIES" }, { scopes: REQUIRED }],
    ["a scope of spaces: all", { scope: "  " }, { scopes: ALL }],
    ["prompts with surplus spaces", { prompt: " login  consent " }, { prompts: ["login", "consent"] }],
    ["openid with others", { scope: "contact_email openid" }, { scopes: ["openid", ...ALL] }],
    ["max_age", { max_age: "0" }, { maxAgeSeconds: 0 }],
    ["the largest max_age", { max_age: "999999999" }, { maxAgeSeconds: 999_999_999 }],
    ["login_hint", { login_hint: "a.b+c@example.org" }, { loginHint: "a.b+c@example.org" }],
    [
      "a login_hint in another spelling",
      { login_hint: " Ann@bücher.example" },
      { loginHint: "ann@xn--bcher-kva.example" },
    ],
    ["a login_hint that is no address: none", { login_hint: "<script>" }, {}],
    ["a login_hint that is too long: none", { login_hint: `${"a".repeat(65)}@example.org` }, {}],
    ["nonce", { ...OPENID, nonce: "n-0S6 ~" }, { scopes: ["openid", ...REQUIRED], nonce: "n-0S6 ~" }],
    ["the longest nonce", { ...OPENID, nonce: LONG }, { scopes: ["openid", ...REQUIRED], nonce: LONG }],
    ["wishes", { display: "popup", ui_locales: "de", acr_values: "phr", claims_locales: "de" }, {}],
    ["what belongs to OpenID Connect, without openid: ignored", { nonce: "é", claims: "{}", registration: "{}" }, {}],
    ["empty request objects", { request: "", request_uri: "" }, {}],
    ["what it doesn't know", { nonce: "n", audience: "a", ui_locales: "en" }, {}],
  ])("accepts %s", (_, changes, expected) => {
    const standard = { scopes: ALL, state: undefined, codeChallenge: CHALLENGE, prompts: [] };
    expect(read(changes)).toEqual({ ...standard, ...expected });
  });

  it.each([
    ["response_type", [], "invalid_request", "response_type is missing"],
    ["response_type", "", "invalid_request", "response_type is missing"],
    ["response_type", "token", "unsupported_response_type", "response_type must be code"],
    ["response_type", "code token", "unsupported_response_type", "response_type must be code"],
    ["response_type", "CODE", "unsupported_response_type", "response_type must be code"],
    ["response_type", ["code", "code"], "invalid_request", "response_type is sent more than once"],
    ["response_mode", "fragment", "invalid_request", "response_mode must be query"],
    ["response_mode", "form_post", "invalid_request", "response_mode must be query"],
    ["code_challenge", [], "invalid_request", "code_challenge is missing"],
    ["code_challenge", "", "invalid_request", "code_challenge is missing"],
    ["code_challenge", CHALLENGE.slice(1), "invalid_request", "code_challenge must be"],
    ["code_challenge", `${CHALLENGE}=`, "invalid_request", "code_challenge must be"],
    ["code_challenge", "a".repeat(8_000), "invalid_request", "code_challenge must be"],
    ["code_challenge_method", "plain", "invalid_request", "code_challenge_method must be S256"],
    ["code_challenge_method", "s256", "invalid_request", "code_challenge_method must be S256"],
    ["code_challenge_method", ["S256", "plain"], "invalid_request", "code_challenge_method is sent more than once"],
    ["state", "s".repeat(2_001), "invalid_request", "state must be"],
    ["state", "a\r\nSet-Cookie: x", "invalid_request", "state must be"],
    ["state", "é", "invalid_request", "state must be"],
    ["state", ["a", "b"], "invalid_request", "state is sent more than once"],
    ["scope", "read_entities\tcontact_email", "invalid_scope", "scope must be"],
    ["scope", 'profile "', "invalid_scope", "scope must be"],
    ["scope", ["read_entities", "contact_email"], "invalid_request", "scope is sent more than once"],
    ["prompt", "create", "invalid_request", "prompt must be names"],
    ["prompt", "LOGIN", "invalid_request", "prompt must be names"],
    ["prompt", "none login", "invalid_request", "prompt none must be alone"],
    ["prompt", "select_account none", "invalid_request", "prompt none must be alone"],
    ["prompt", "none none", "invalid_request", "prompt none must be alone"],
    ["max_age", "-1", "invalid_request", "max_age must be"],
    ["max_age", "1.5", "invalid_request", "max_age must be"],
    ["max_age", "01", "invalid_request", "max_age must be"],
    ["max_age", "1e3", "invalid_request", "max_age must be"],
    ["max_age", "9999999999", "invalid_request", "max_age must be"],
    ["max_age", ["1", "1"], "invalid_request", "max_age is sent more than once"],
    ["nonce", ["1", "1"], "invalid_request", "nonce is sent more than once"],
    ["prompt", ["none", "none"], "invalid_request", "prompt is sent more than once"],
    ["request", "eyJ.eyJ.x", "request_not_supported", "request is not supported"],
    ["request_uri", "https://evil.example", "request_uri_not_supported", "request_uri is not supported"],
    ["<script>", ["a", "b"], "invalid_request", "an unknown parameter is sent more than once"],
  ])("refuses %s=%j with %s", (name, value, error, description) => {
    expect(() => read({ [name]: value })).toThrow(expect.objectContaining({ name: "OAuthError", error }));
    expect(() => read({ [name]: value })).toThrow(`${error}: ${description}`);
    expect(() => read({ [name]: value })).toThrow(/^[ !#-[\]-~]+$/);
  });

  it("refuses what the founder hasn't configured, and a list of which nothing is left (RFC 6749 section 3.3)", () => {
    const readFor = (scopes: Client["definition"]["scopes"], scope: string) =>
      readAuthorizationParameters(parametersWith({ scope }), {
        ...CLIENT,
        definition: { ...CLIENT.definition, scopes },
      }).scopes;
    const [first = { scope: "", required: true }] = CLIENT.definition.scopes;
    expect(() => readFor([first], "openid contact_email")).toThrow("invalid_scope: scope names what the client is not");
    const optional = [{ ...first, required: false }];
    expect(() => readFor(optional, "profile email")).toThrow("invalid_scope: scope must name openid or");
    expect(readFor(optional, "profile openid")).toEqual(["openid"]);
  });

  it.each([
    ["nonce", "é", "invalid_request"],
    ["nonce", "n".repeat(513), "invalid_request"],
    ["nonce", "a\nb", "invalid_request"],
    ["claims", '{"id_token":{}}', "invalid_request"],
    ["registration", "{}", "registration_not_supported"],
  ])("refuses %s=%j with the scope openid", (name, value, error) => {
    expect(() => read({ scope: "openid", [name]: value })).toThrow(expect.objectContaining({ error }));
    expect(() => read({ scope: "openid", [name]: value })).toThrow(/^[ !#-[\]-~]+$/);
  });
});

describe("requestedClientUuid", () => {
  const clientUuid = (client_id: string | readonly string[]) => requestedClientUuid(parametersWith({ client_id }));

  it("accepts a UUID in any case", () => {
    expect(clientUuid(UUID)).toBe(UUID);
    expect(clientUuid("ABCDEF00-2222-4222-8222-222222222222")).toBe("abcdef00-2222-4222-8222-222222222222");
  });

  it.each([[[]], [""], ["app"], [`${UUID} `], [`${UUID}\n`], [`{${UUID}}`], [[UUID, UUID]]])("refuses %j", (value) => {
    expect(() => clientUuid(value)).toThrow(
      /^invalid_request: client_id (is missing|must be a UUID|is sent more than)/,
    );
  });
});

describe("requestedRedirectUri", () => {
  const twice: Client = {
    ...CLIENT,
    definition: { ...CLIENT.definition, redirectUris: [CALLBACK, "https://app.example/two"] },
  };
  const redirectUri = (redirect_uri: string | readonly string[], client = CLIENT) =>
    requestedRedirectUri(parametersWith({ redirect_uri }), client);

  it("accepts a registered one, and defaults to the only one", () => {
    expect(redirectUri(CALLBACK)).toBe(CALLBACK);
    expect(redirectUri([])).toBe(CALLBACK);
    expect(redirectUri("")).toBe(CALLBACK);
    expect(redirectUri("https://app.example/two", twice)).toBe("https://app.example/two");
  });

  it.each([
    ["https://app.example/cb/"],
    ["https://app.example/cb?"],
    ["https://app.example/cb#"],
    ["https://APP.example/cb"],
    ["https://app.example:443/cb"],
    ["https://app.example/x/../cb"],
    ["https://app.example/%63b"],
    ["https://app.example\\@evil.example/cb"],
    ["https://user@app.example/cb"],
    ["https://app.example.evil.example/cb"],
    ["http://app.example/cb"],
    ["//app.example/cb"],
    ["javascript:alert(1)"],
    [`${CALLBACK}${"x".repeat(8_000)}`],
  ])("refuses %s", (requested) => {
    expect(() => redirectUri(requested)).toThrow("invalid_request: redirect_uri must be one of the registered");
  });

  it("refuses a repeated one, and a missing one if there are several", () => {
    expect(() => redirectUri([CALLBACK, CALLBACK])).toThrow("redirect_uri is sent more than once");
    expect(() => redirectUri([], twice)).toThrow("redirect_uri is missing");
  });

  it("refuses a missing one with the scope openid (OpenID Connect Core section 3.1.2.1)", () => {
    const withScope = (scope: string) => requestedRedirectUri(parametersWith({ redirect_uri: [], scope }), CLIENT);
    expect(withScope("read_entities")).toBe(CALLBACK);
    for (const scope of ["openid", "read_entities openid"]) {
      expect(() => withScope(scope)).toThrow("invalid_request: redirect_uri is missing, and the scope openid needs it");
    }
  });

  it("refuses a client that can't sign users in, and says why", () => {
    const { squareLogo: _, ...bare } = CLIENT;
    expect(() => redirectUri(CALLBACK, { ...bare, status: "disabled" })).toThrow(
      "unauthorized_client: the client is disabled, has no square logo",
    );
  });
});

describe("the state of an error response", () => {
  it.each([
    ["a b", "a b"],
    [[], undefined],
    ["", undefined],
    ["a\nb", undefined],
    [["a", "a"], undefined],
    ["s".repeat(2_001), undefined],
  ])("for %j is %j", (state, echoed) => {
    expect(echoedState(parametersWith({ state }))).toBe(echoed);
  });

  it("prompt=none counts only if it is sent once and alone", () => {
    const silent = (prompt: string | readonly string[]) => wantsNoPage(parametersWith({ prompt }));
    expect([silent("none"), silent("login"), silent([]), silent(["none", "none"]), silent("none login")]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
