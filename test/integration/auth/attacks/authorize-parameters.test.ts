import { beforeAll, expect, it } from "vitest";
import type { SentParameters } from "../../../../services/auth/testing/application.ts";
import { answerOf, type WebApplication } from "../../../support/applications/web-application.ts";
import { describeAuthWeb, type WebUser } from "../../../support/pages/auth-web.ts";
import { ISSUER } from "../../../support/processes/auth-fixture.ts";

type Case = readonly [attack: string, rfc: string, sent: SentParameters];
type ToldCase = readonly [...Case, error: string];

const absent: readonly string[] = [];
const UUID = "99999999-9999-4999-8999-999999999999";
const CHALLENGE = "c".repeat(43);

/** Requests without a valid client or redirect URI, for which the browser must not be redirected. */
const NOT_REDIRECTED: readonly Case[] = [
  ["client_id missing", "RFC 6749 4.1.1", { client_id: absent }],
  ["client_id empty", "RFC 6749 3.1", { client_id: "" }],
  ["client_id doubled", "RFC 6749 3.1", { client_id: [UUID, UUID] }],
  ["client_id unknown", "RFC 6749 4.1.2.1", { client_id: UUID }],
  ["client_id no UUID", "RFC 6749 4.1.2.1", { client_id: "portal" }],
  ["client_id with SQL", "RFC 6749 4.1.2.1", { client_id: `${UUID}' OR '1'='1` }],
  ["client_id with NUL", "RFC 6749 A.1", { client_id: `${UUID}\0` }],
  ["client_id oversized", "RFC 6749 4.1.2.1", { client_id: "9".repeat(8_000) }],
  ["redirect_uri doubled", "RFC 6749 3.1", { redirect_uri: ["https://app.example/callback", "https://evil.example/"] }],
  ["redirect_uri unknown", "RFC 9700 4.1", { redirect_uri: "https://evil.example/callback" }],
  ["redirect_uri no URL", "RFC 6749 3.1.2", { redirect_uri: "callback" }],
  ["redirect_uri oversized", "RFC 6749 3.1.2", { redirect_uri: `https://app.example/${"a".repeat(8_000)}` }],
  ["a value above every bound", "RFC 6749 4.1.2.1", { state: "a".repeat(9_000) }],
  ["a name above every bound", "RFC 6749 4.1.2.1", { ["a".repeat(300)]: "b" }],
  ["too many parameters", "RFC 6749 4.1.2.1", { resource: Array.from({ length: 65 }, () => "b") }],
];

/** Requests of a known client, which gets the error with `state` and `iss`. */
const REDIRECTED_ERRORS: readonly ToldCase[] = [
  ["response_type missing", "RFC 6749 4.1.2.1", { response_type: absent }, "invalid_request"],
  ["response_type empty", "RFC 6749 3.1", { response_type: "" }, "invalid_request"],
  ["response_type doubled", "RFC 6749 3.1", { response_type: ["code", "code"] }, "invalid_request"],
  ["response_type token", "RFC 9700 2.1.2", { response_type: "token" }, "unsupported_response_type"],
  ["response_type hybrid", "RFC 9700 2.1.2", { response_type: "code id_token" }, "unsupported_response_type"],
  ["response_type in other case", "RFC 6749 3.1.1", { response_type: "Code" }, "unsupported_response_type"],
  ["response_type oversized", "RFC 6749 3.1.1", { response_type: "code".repeat(2_000) }, "unsupported_response_type"],
  ["response_mode fragment", "RFC 9700 4.3.1", { response_mode: "fragment" }, "invalid_request"],
  ["response_mode form_post", "RFC 9700 4.3.1", { response_mode: "form_post" }, "invalid_request"],
  ["response_mode doubled", "RFC 6749 3.1", { response_mode: ["query", "query"] }, "invalid_request"],
  ["scope doubled", "RFC 6749 3.1", { scope: ["read_entities", "contact_email"] }, "invalid_request"],
  ["scope with quote", "RFC 6749 A.4", { scope: 'read_entities"' }, "invalid_scope"],
  ["scope with line break", "RFC 6749 A.4", { scope: "read_entities\ncontact_email" }, "invalid_scope"],
  ["scope oversized", "RFC 6749 3.3", { scope: "read_entities ".repeat(500).trim() }, "invalid_scope"],
  ["code_challenge missing", "RFC 9700 2.1.1", { code_challenge: absent }, "invalid_request"],
  [
    "code_challenge missing, no method",
    "RFC 9700 4.8.2",
    { code_challenge: absent, code_challenge_method: absent },
    "invalid_request",
  ],
  ["code_challenge empty", "RFC 7636 4.3", { code_challenge: "" }, "invalid_request"],
  ["code_challenge doubled", "RFC 6749 3.1", { code_challenge: [CHALLENGE, CHALLENGE] }, "invalid_request"],
  ["code_challenge a character short", "RFC 7636 4.2", { code_challenge: "c".repeat(42) }, "invalid_request"],
  ["code_challenge a character long", "RFC 7636 4.2", { code_challenge: "c".repeat(44) }, "invalid_request"],
  ["code_challenge padded", "RFC 7636 A", { code_challenge: `${CHALLENGE}=` }, "invalid_request"],
  ["code_challenge in base64", "RFC 7636 A", { code_challenge: `${"c".repeat(42)}+` }, "invalid_request"],
  ["code_challenge with line break", "RFC 7636 4.2", { code_challenge: `${CHALLENGE}\n` }, "invalid_request"],
  ["code_challenge oversized", "RFC 7636 4.2", { code_challenge: "c".repeat(8_000) }, "invalid_request"],
  ["PKCE downgraded to plain", "RFC 9700 2.1.1", { code_challenge_method: "plain" }, "invalid_request"],
  ["PKCE method in other case", "RFC 7636 4.3", { code_challenge_method: "s256" }, "invalid_request"],
  ["PKCE method none", "RFC 7636 4.3", { code_challenge_method: "none" }, "invalid_request"],
  ["PKCE method doubled", "RFC 6749 3.1", { code_challenge_method: ["S256", "plain"] }, "invalid_request"],
  ["PKCE method oversized", "RFC 7636 4.3", { code_challenge_method: "S256".repeat(2_000) }, "invalid_request"],
  ["prompt unknown", "OIDC Core 3.1.2.1", { prompt: "create" }, "invalid_request"],
  ["prompt none with select_account", "OIDC Core 3.1.2.1", { prompt: "none select_account" }, "invalid_request"],
  ["prompt none with itself", "OIDC Core 3.1.2.1", { prompt: "none none" }, "invalid_request"],
  ["prompt none with another", "OIDC Core 3.1.2.1", { prompt: "none login" }, "invalid_request"],
  ["prompt doubled", "RFC 6749 3.1", { prompt: ["consent", "none"] }, "invalid_request"],
  ["a request object", "RFC 9101 6.1", { request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported"],
  [
    "a request object to fetch",
    "RFC 9101 10.4",
    { request_uri: "http://169.254.169.254/" },
    "request_uri_not_supported",
  ],
  ["an unknown parameter doubled", "RFC 6749 3.1", { nonce: ["a", "b"] }, "invalid_request"],
];

/** Scopes that mean nothing here, so that they get nothing. */
const IGNORED_SCOPES: readonly Case[] = [
  ["unknown", "OIDC Core 3.1.2.1", { scope: "admin" }],
  ["widened", "OIDC Core 3.1.2.1", { scope: "read_entities  admin" }],
  ["of other services", "OIDC Core 3.1.2.1", { scope: "profile email offline_access" }],
  ["in other case", "RFC 6749 3.3", { scope: "OPENID CONTACT_EMAIL" }],
  ["with names of properties", "RFC 6749 3.3", { scope: "constructor __proto__ toString" }],
];

/** Values of `state` that a response must not repeat. */
const STATES: readonly Case[] = [
  ["state doubled", "RFC 6749 3.1", { state: ["one", "two"] }],
  ["state with a line break", "RFC 6749 A.5", { state: "a\r\nSet-Cookie: evil=1" }],
  ["state with NUL", "RFC 6749 A.5", { state: "a\0b" }],
  ["state with other letters", "RFC 6749 A.5", { state: "stäte" }],
  ["state oversized", "RFC 6749 A.5", { state: "a".repeat(2_001) }],
];

describeAuthWeb("a hostile authorization request", (web) => {
  let application: WebApplication;
  let user: WebUser;
  beforeAll(async () => {
    [application, user] = [await web().application(), await web().user()];
  });

  it.each(NOT_REDIRECTED)("isn't redirected: %s (%s)", async (_, __, sent) => {
    for (const browser of [user.browser, web().browser()]) {
      const shown = await application.authorize(browser, { prompt: "none", ...sent });
      expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
      expect(shown.html).not.toMatch(/href="http|evil\.example/);
    }
  });

  it.each(REDIRECTED_ERRORS)("is refused: %s (%s)", async (_, __, sent, error) => {
    const { status, leftTo = "" } = await application.authorize(user.browser, sent);
    expect(status).toBe(303);
    expect(leftTo.startsWith(`${application.redirectUri}?`)).toBe(true);
    const { error_description: description, ...answer } = Object.fromEntries(new URL(leftTo).searchParams);
    expect(answer).toEqual({ error, state: "a state", iss: ISSUER });
    expect(description).toMatch(/^[ !#-[\]-~]+$/);
  });

  it.each(REDIRECTED_ERRORS)(
    "shows a page before the redirect if nobody has signed in: %s (RFC 9700 4.11.2)",
    async (_, __, sent) => {
      const shown = await application.authorize(web().browser(), sent);
      expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
      expect(shown.html).toContain('href="https://app.example/callback?error=');
    },
  );

  it.each(IGNORED_SCOPES)(
    "gets what the client requires, and nothing for a scope that is %s (%s)",
    async (_, __, sent) => {
      const { body } = await application.exchange(await application.code(user.browser, sent));
      expect(body["scope"]).toBe("read_entities sale_eligibility_check");
      expect(body).not.toHaveProperty("id_token");
    },
  );

  it.each(STATES)("is refused without its state: %s (%s)", async (_, __, sent) => {
    const answer = answerOf(await application.authorize(user.browser, sent));
    expect(Object.fromEntries(answer)).toEqual({
      error: "invalid_request",
      error_description: expect.stringContaining("state"),
      iss: ISSUER,
    });
  });

  it("gets the issuer with a code, an error and a cancelled consent, against mix-up attacks (RFC 9207 2)", async () => {
    const code = await application.authorize(user.browser);
    const denied = await user.browser.send(code, { action: "/oauth/consent", fields: { decision: "cancel" } });
    const silent = await application.authorize(user.browser, { prompt: "none" });
    expect(answerOf(denied).get("error")).toBe("access_denied");
    expect(answerOf(silent).get("error")).toBe("consent_required");
    expect([answerOf(denied).getAll("iss"), answerOf(silent).getAll("iss")]).toEqual([[ISSUER], [ISSUER]]);
    const allowed = await user.browser.send(await application.authorize(user.browser), {
      action: "/oauth/consent",
      fields: { decision: "allow" },
    });
    expect([...answerOf(allowed).keys()].toSorted()).toEqual(["code", "iss", "state"]);
    expect(answerOf(allowed).get("iss")).toBe(ISSUER);
  });

  it.each(["PUT", "DELETE"])("is refused by %s (RFC 6749 3.1)", async (method) => {
    const answer = await fetch(web().origin + application.authorizePath(), { method, redirect: "manual" });
    expect(answer.status).toBe(405);
  });

  it("does nothing by a form but lead to the request by GET, whatever the address has (OIDC Core 3.1.2.1)", async () => {
    const cookie = Array.from(user.browser.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const body = new URLSearchParams({ client_id: "x", redirect_uri: "https://evil.example/" });
    const request = { method: "POST", body, headers: { cookie }, redirect: "manual" } as const;
    const answer = await fetch(web().origin + application.authorizePath(), request);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/oauth/authorize?${body}`]);
    const bare = await fetch(web().origin + application.authorizePath(), { method: "POST", redirect: "manual" });
    expect(bare.status).toBe(415);
  });

  it("is refused for a disabled client (RFC 6749 4.1.2.1)", async () => {
    const disabled = await web().application({ status: "disabled" });
    const shown = await disabled.authorize(user.browser, { prompt: "none" });
    expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
  });

  it("is refused for another client with this one's redirect URI (RFC 9700 4.1)", async () => {
    const { redirectUris } = application.client.definition;
    const other = await web().application({
      definition: { ...application.client.definition, redirectUris: ["https://other.example/cb"] },
    });
    const shown = await other.authorize(user.browser, { redirect_uri: redirectUris });
    expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
  });
});
