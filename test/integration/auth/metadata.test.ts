import { randomUUID } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeAll, expect, it } from "vitest";
import { AUTH_PATHS } from "../../../gateway/web/sessions/auth-paths.ts";
import { clientKeyPair, signedAssertion } from "../../../services/auth/testing/assertions.ts";
import { sampleDefinition, sampleSecurity } from "../../../services/auth/testing/sample-application.ts";
import { confidentialDefinition, JWT_BEARER } from "../../support/applications/confidential-application.ts";
import {
  answerOf,
  CONSENT,
  type EndpointAnswer,
  queryOf,
  type WebApplication,
} from "../../support/applications/web-application.ts";
import { describeAuthWeb, type WebUser } from "../../support/pages/auth-web.ts";
import { holdPasskey } from "../../support/pages/web-passkeys.ts";
import { ISSUER } from "../../support/processes/auth-fixture.ts";

type Metadata = Readonly<Record<string, string | boolean | readonly string[]>>;

/** The values of the registries that an authorization request may name, by the member of the metadata that lists those taken. */
const OF_REQUESTS: readonly (readonly [member: string, parameter: string, values: readonly string[]])[] = [
  [
    "response_types_supported",
    "response_type",
    ["code", "token", "id_token", "code token", "code id_token", "id_token token", "code id_token token", "none"],
  ],
  ["response_modes_supported", "response_mode", ["query", "fragment", "form_post", "jwt", "query.jwt", "web_message"]],
  ["code_challenge_methods_supported", "code_challenge_method", ["S256", "plain"]],
  ["prompt_values_supported", "prompt", ["none", "login", "consent", "select_account", "create"]],
];

/** Names of scopes, of which a server ignores those that it doesn't know (OIDC Core 3.1.2.1). */
const SCOPES = "openid profile email address phone offline_access read_entities sale_eligibility_check contact_email";

const GRANT_TYPES = [
  "authorization_code",
  "refresh_token",
  "client_credentials",
  "password",
  "implicit",
  "urn:ietf:params:oauth:grant-type:jwt-bearer",
  "urn:ietf:params:oauth:grant-type:token-exchange",
  "urn:ietf:params:oauth:grant-type:device_code",
];

const AUTH_METHODS = ["none", "private_key_jwt", "client_secret_post", "client_secret_basic"] as const;
const ASSERTION_ALGORITHMS = ["ES256", "ES384", "RS256", "RS512", "PS256", "PS384", "EdDSA", "Ed25519"];
const REFUSALS = ["invalid_request", "invalid_scope", "unsupported_response_type"];

describeAuthWeb("the metadata of the authorization server", (web) => {
  let metadata: Metadata;
  let application: WebApplication;
  let user: WebUser;
  beforeAll(async () => {
    metadata = await document(AUTH_PATHS.metadata);
    application = await web().application();
    user = await web().user();
    await application.code(user.browser);
  });

  async function document(path: string): Promise<Metadata> {
    const answer = await fetch(web().origin + path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    return (await answer.json()) as Metadata;
  }

  /** The error of an authorization request; undefined where it gives a code or a page for the user. */
  async function errorOf(sent: Readonly<Record<string, string>>): Promise<string | undefined> {
    const { leftTo } = await application.authorize(user.browser, sent);
    const error = leftTo === undefined ? null : new URL(leftTo).searchParams.get("error");
    return error ?? undefined;
  }

  const listOf = (member: string) => [metadata[member] as readonly string[]].flat().toSorted();

  it("is the same at both addresses, and names its issuer exactly (RFC 8414 3.3, OIDC Discovery 4.3)", async () => {
    expect(await document(AUTH_PATHS.openIdConfiguration)).toEqual(metadata);
    expect(metadata["issuer"]).toBe(ISSUER);
  });

  it("names every endpoint for applications, each once", () => {
    const { authorize, push, token, revoke, introspect, userinfo, logout, jwks } = AUTH_PATHS;
    const named = Object.entries(metadata).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name));
    const paths = [authorize, push, token, revoke, introspect, userinfo, logout, jwks];
    expect(named.map(([, url]) => url).toSorted()).toEqual(paths.map((path) => ISSUER + path).toSorted());
  });

  it.each(OF_REQUESTS)("lists in %s what %s may be, and nothing else", async (member, parameter, values) => {
    const taken: string[] = [];
    for (const value of values) {
      const error = await errorOf({ [parameter]: value });
      if (error === undefined || !REFUSALS.includes(error)) taken.push(value);
    }
    expect(taken.toSorted()).toEqual(listOf(member));
  });

  it("lists the scopes that somebody is granted who asks for any, and nothing else", async () => {
    const page = await application.authorize(user.browser, { scope: SCOPES, prompt: "consent" });
    const fields = { decision: "allow", scope: "contact_email" };
    const code = answerOf(await user.browser.send(page, { action: CONSENT, fields })).get("code") ?? "";
    const { scope } = (await application.exchange(code)).body;
    expect(String(scope).split(" ").toSorted()).toEqual(listOf("scopes_supported"));
  });

  it.each([
    ["request_parameter_supported", { request: "eyJhbGciOiJub25lIn0.e30." }],
    ["request_uri_parameter_supported", { request_uri: "https://app.example/request" }],
    ["claims_parameter_supported", { scope: "openid", claims: "{}" }],
  ])("says in %s whether the parameter is taken", async (member, sent) => {
    expect((await errorOf(sent)) === undefined).toBe(metadata[member]);
  });

  it("says truly that requests needn't be pushed, and that answers name the issuer (RFC 9126 5, RFC 9207 3)", async () => {
    const answer = answerOf(await application.authorize(user.browser));
    expect([answer.has("code"), answer.get("iss")]).toEqual([true, ISSUER]);
    expect(metadata).toMatchObject({
      require_pushed_authorization_requests: false,
      authorization_response_iss_parameter_supported: true,
    });
  });

  it("lists the grant types that the token endpoint takes, and nothing else", async () => {
    const taken: string[] = [];
    for (const grantType of GRANT_TYPES) {
      const { error } = await application.token({ grant_type: grantType });
      if (error !== "unsupported_grant_type") taken.push(grantType);
    }
    expect(taken.toSorted()).toEqual(listOf("grant_types_supported"));
  });

  it.each([
    ["token", AUTH_PATHS.token, { grant_type: "refresh_token", refresh_token: "guessed" }],
    ["revocation", AUTH_PATHS.revoke, { token: "guessed" }],
    ["introspection", AUTH_PATHS.introspect, { token: "guessed" }],
  ])("lists how clients authenticate at the %s endpoint, and nothing else", async (endpoint, path, sent) => {
    const key = await clientKeyPair();
    const confidential = await web().application({ definition: confidentialDefinition(key) });
    const client = { none: application, private_key_jwt: confidential };
    const taken: string[] = [];
    for (const method of AUTH_METHODS) {
      const { uuid } = (client[method as keyof typeof client] ?? application).client;
      const form: Readonly<Record<string, string>> = { "content-type": "application/x-www-form-urlencoded" };
      const basic = { authorization: `Basic ${Buffer.from(`${uuid}:secret`).toString("base64")}` };
      const credentials = {
        none: { client_id: uuid },
        private_key_jwt: await assertionOf(key, uuid),
        client_secret_post: { client_id: uuid, client_secret: "secret" },
        client_secret_basic: {},
      }[method];
      const headers = method === "client_secret_basic" ? { ...form, ...basic } : form;
      const answer = await application.post(path, queryOf({ ...sent, ...credentials }), headers);
      if (answer.error !== "invalid_client") taken.push(method);
    }
    expect(taken.toSorted()).toEqual(listOf(`${endpoint}_endpoint_auth_methods_supported`));
  });

  it("lists the algorithms of assertions that count, and nothing else, for all endpoints", async () => {
    const taken: string[] = [];
    for (const alg of ASSERTION_ALGORITHMS) {
      const key = await clientKeyPair(alg);
      const { client } = await web().application({ definition: confidentialDefinition(key) });
      const sent = { token: "guessed", ...(await assertionOf(key, client.uuid, alg)) };
      const { error } = await application.post(AUTH_PATHS.introspect, queryOf(sent));
      if (error !== "invalid_client") taken.push(alg);
    }
    for (const endpoint of ["token", "revocation", "introspection"]) {
      expect(listOf(`${endpoint}_endpoint_auth_signing_alg_values_supported`)).toEqual(taken.toSorted());
    }
  });

  async function assertionOf(key: Parameters<typeof signedAssertion>[0], clientUuid: string, alg = "ES256") {
    const assertion = await signedAssertion(key, clientUuid, web().service.time.now(), { header: { alg } });
    return { client_assertion: assertion, client_assertion_type: JWT_BEARER };
  }

  it("lists the claims of ID tokens and of userinfo, their classes of sign-in, and nothing else", async () => {
    const byPasskey = await web().user();
    await holdPasskey(byPasskey.browser);
    const claims = new Set<string>();
    const classes: unknown[] = [];
    for (const { browser } of [user, byPasskey]) {
      const { body } = await idTokensOf(application, browser);
      const ofIdToken = decodeJwt(String(body["id_token"]));
      const ofUserInfo = (await application.userInfo(String(body["access_token"]))).body;
      for (const name of [...Object.keys(ofIdToken), ...Object.keys(ofUserInfo)]) claims.add(name);
      classes.push(ofIdToken["acr"]);
    }
    expect([...claims].toSorted()).toEqual(listOf("claims_supported"));
    expect(classes.toSorted()).toEqual(listOf("acr_values_supported"));
    expect(listOf("claim_types_supported")).toEqual(["normal"]);
  });

  it("lists the algorithms of ID tokens, and subjects that differ between sales", async () => {
    const subjects = new Set<string | undefined>();
    for (const algorithm of ["RS256", "ES256"] as const) {
      const security = sampleSecurity({ idTokenSignedResponseAlg: algorithm });
      const own = await web().application({ definition: sampleDefinition({ security }) });
      const { body } = await idTokensOf(own, user.browser);
      const idToken = String(body["id_token"]);
      expect(decodeProtectedHeader(idToken).alg).toBe(algorithm);
      subjects.add(decodeJwt(idToken).sub);
    }
    expect(listOf("id_token_signing_alg_values_supported")).toEqual(["ES256", "RS256"]);
    expect([subjects.size, metadata["subject_types_supported"]]).toEqual([2, ["pairwise"]]);
  });

  /** Gets tokens with all claims that there are: with a nonce, the time of the sign-in and the user's address. */
  async function idTokensOf(of: WebApplication, browser: WebUser["browser"]): Promise<EndpointAnswer> {
    const sent = { scope: "openid contact_email", nonce: randomUUID(), max_age: "3600", prompt: "consent" };
    const page = await of.authorize(browser, sent);
    const fields = { decision: "allow", scope: "contact_email" };
    return of.exchange(answerOf(await browser.send(page, { action: CONSENT, fields })).get("code") ?? "");
  }

  it("lists the languages of pages", async () => {
    const shown: (string | undefined)[] = [];
    for (const language of listOf("ui_locales_supported")) {
      const { html } = await application.authorize(web().browser(), { ui_locales: language });
      shown.push(/<html lang="([\w-]+)"/.exec(html)?.[1]);
    }
    expect(shown).toEqual(listOf("ui_locales_supported"));
    expect(shown.length).toBeGreaterThan(1);
  });
});
