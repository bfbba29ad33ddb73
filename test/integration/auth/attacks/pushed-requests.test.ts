import { beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../../../services/auth/applications/application.ts";
import { updateClient } from "../../../../services/auth/applications/applications-store.ts";
import type { SentParameters } from "../../../../services/auth/testing/application.ts";
import { sampleDefinition, sampleSecurity } from "../../../../services/auth/testing/sample-application.ts";
import { confidentialApplication } from "../../../support/applications/confidential-application.ts";
import {
  allow,
  answerOf,
  queryOf,
  tokensIn,
  type WebApplication,
} from "../../../support/applications/web-application.ts";
import { describeAuthWebOnEachDatabase, type WebUser } from "../../../support/pages/auth-web.ts";
import { ISSUER } from "../../../support/processes/auth-fixture.ts";

const AT_ONCE = 20;
const PUSH = "/oauth/par";
const UUID = "99999999-9999-4999-8999-999999999999";
const REQUEST_URI = `urn:ietf:params:oauth:request_uri:${"a".repeat(43)}`;

type Case = readonly [attack: string, rfc: string, sent: SentParameters, error: string];

const REFUSED: readonly Case[] = [
  ["a request_uri in the pushed request", "RFC 9126 2.1", { request_uri: REQUEST_URI }, "invalid_request"],
  ["a request_uri to fetch", "RFC 9101 10.4", { request_uri: "http://169.254.169.254/" }, "invalid_request"],
  ["an unsigned request object", "RFC 9126 3", { request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported"],
  ["an unregistered redirect_uri", "RFC 9126 2.3", { redirect_uri: "https://evil.example/" }, "invalid_request"],
  [
    "a redirect_uri below a registered one",
    "RFC 9126 2.4",
    { redirect_uri: "https://app.example/callback/x" },
    "invalid_request",
  ],
  ["no PKCE", "RFC 9700 2.1.1", { code_challenge: [] }, "invalid_request"],
  ["PKCE downgraded to plain", "RFC 9700 2.1.1", { code_challenge_method: "plain" }, "invalid_request"],
  ["a doubled parameter", "RFC 6749 3.1", { state: ["a", "b"] }, "invalid_request"],
  ["a malformed scope", "RFC 6749 3.3", { scope: 'admin"' }, "invalid_scope"],
  ["an implicit response", "RFC 9700 2.1.2", { response_type: "token" }, "unsupported_response_type"],
];

const UNAUTHENTICATED: readonly Case[] = [
  ["an unknown client", "RFC 9126 2.1", { client_id: UUID }, "invalid_client"],
  ["a secret", "RFC 9126 2.1", { client_secret: "s" }, "invalid_client"],
  ["a secret and SQL", "RFC 9126 2.1", { client_id: `${UUID}' OR '1'='1` }, "invalid_client"],
];

describeAuthWebOnEachDatabase("a hostile use of pushed requests", (web) => {
  let application: WebApplication;
  let other: WebApplication;
  let user: WebUser;
  beforeAll(async () => {
    [application, other, user] = [await web().application(), await web().application(), await web().user()];
  });

  const push = (changes: SentParameters = {}, from = application) =>
    from.post(PUSH, queryOf({ ...from.authorizeParameters(), ...changes }));
  const pushed = async (changes: SentParameters = {}, from = application) =>
    String((await push(changes, from)).body["request_uri"]);
  const open = (requestUri: string, changes: SentParameters = {}, browser = user.browser) =>
    browser.open(
      `/oauth/authorize?${queryOf({ client_id: application.client.uuid, request_uri: requestUri, ...changes })}`,
    );

  it.each(REFUSED)("is refused at the push: %s (%s)", async (_, __, sent, error) => {
    expect(await push(sent)).toMatchObject({ status: 400, error });
  });

  it.each(UNAUTHENTICATED)("is refused with 401: %s (%s)", async (_, __, sent, error) => {
    expect(await push(sent)).toMatchObject({ status: 401, error });
  });

  it("gets a request_uri that can't be guessed or stored (RFC 9126 2.2, 7.1)", async () => {
    const { status, headers, body } = await push();
    expect([status, headers.get("cache-control"), body["expires_in"]]).toEqual([201, "no-store", 60]);
    expect(body["request_uri"]).toMatch(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/);
    expect(await pushed()).not.toBe(body["request_uri"]);
    expect((await open(REQUEST_URI)).leftTo).toBeUndefined();
  });

  it("lets nobody swap the request of one client for another's (RFC 9126 4, 7.5)", async () => {
    const requestUri = await pushed({}, other);
    const shown = await open(requestUri);
    expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
    const absent = await open(requestUri, { client_id: [] });
    expect([absent.status, absent.leftTo]).toEqual([400, undefined]);
    const both = await open(requestUri, { client_id: [other.client.uuid, application.client.uuid] });
    expect([both.status, both.leftTo]).toEqual([400, undefined]);
    expect((await open(requestUri, { client_id: other.client.uuid })).html).toContain('action="/oauth/consent"');
  });

  it("has no effect by parameters beside request_uri (RFC 9126 4, RFC 9101 6.3)", async () => {
    const requestUri = await pushed({ scope: "read_entities", state: "pushed" });
    const evil = { state: "evil", scope: "contact_email", code_challenge: "e".repeat(43), prompt: "none" };
    const page = await open(requestUri, { ...evil, redirect_uri: "https://evil.example/" });
    expect(page.html).not.toContain("contact_email");
    const { leftTo = "", ...answer } = await allow(user.browser, page);
    expect(leftTo.startsWith(`${application.redirectUri}?`)).toBe(true);
    expect(answerOf({ leftTo, ...answer }).get("state")).toBe("pushed");
    const code = answerOf({ leftTo, ...answer }).get("code") ?? "";
    expect(tokensIn(await application.exchange(code)).accessToken).not.toBe("");
  });

  it("is refused with request or a second request_uri beside it (RFC 9101 5)", async () => {
    const requestUri = await pushed();
    const shown = await open(requestUri, { request: "e30.e30." });
    expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
    const doubled = answerOf(await open(requestUri, { request_uri: [requestUri, requestUri] }));
    expect([doubled.get("error"), doubled.has("code")]).toEqual(["invalid_request", false]);
  });

  it("is pushed by a confidential application with an assertion only, once (RFC 9126 2, RFC 7523 3)", async () => {
    const { application: confidential, asserted } = await confidentialApplication(web());
    expect(await push({}, confidential)).toMatchObject({ status: 401, error: "invalid_client" });
    const assertion = await asserted();
    const { status, body } = await push({ client_id: [], ...assertion }, confidential);
    expect(status).toBe(201);
    for (const sent of [assertion, { ...(await asserted()), client_id: application.client.uuid }]) {
      expect(await push(sent, confidential)).toMatchObject({ status: 401, error: "invalid_client" });
    }
    expect(await push(await asserted())).toMatchObject({ status: 401, error: "invalid_client" });
    const page = await open(String(body["request_uri"]), { client_id: confidential.client.uuid });
    const code = answerOf(await allow(user.browser, page)).get("code") ?? "";
    expect((await confidential.exchange(code, await asserted())).status).toBe(200);
  });

  it.each(["par", "token"])(
    "isn't pushed with an assertion for the endpoint %s, which could have been made for another server (RFC 9126 2)",
    async (endpoint) => {
      const { application: confidential, asserted } = await confidentialApplication(web());
      const aud = `${ISSUER}/oauth/${endpoint}`;
      expect(await push(await asserted({ claims: { aud } }), confidential)).toMatchObject({
        status: 401,
        error: "invalid_client",
      });
      expect((await push(await asserted({ claims: { aud: ISSUER } }), confidential)).status).toBe(201);
    },
  );

  it("gets nothing that the founder has taken back since (RFC 9126 4, 7.4)", async () => {
    const { definition } = application.client;
    const changes: readonly (readonly [Partial<Client>, error: string | undefined])[] = [
      [
        { definition: { ...definition, scopes: definition.scopes.filter(({ required }) => required) } },
        "invalid_scope",
      ],
      [{ definition: { ...definition, redirectUris: ["https://new.example/callback"] } }, undefined],
      [{ status: "disabled" }, undefined],
    ];
    for (const [change, error] of changes) {
      const own = await web().application();
      const requestUri = await pushed({ scope: "contact_email", prompt: "consent" }, own);
      const changed = { ...own.client, ...change };
      await web().service.database.write((transaction) => updateClient(transaction, changed));
      const { status, leftTo } = await open(requestUri, { client_id: own.client.uuid });
      const answer = leftTo === undefined ? undefined : new URL(leftTo).searchParams.get("error");
      expect([status, answer]).toEqual([error === undefined ? 400 : 303, error]);
    }
  });

  it("begins one authorization, in one browser (RFC 9126 7.3)", async () => {
    const requestUri = await pushed({ prompt: "consent" });
    expect((await open(requestUri)).html).toContain('action="/oauth/consent"');
    const thief = await web().user();
    const shown = await open(requestUri, {}, thief.browser);
    expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
    expect(shown.html).not.toContain('action="/oauth/consent"');
  });

  it(`gives one code, of ${AT_ONCE} requests at once (RFC 9126 7.3)`, async () => {
    await application.tokens(user.browser);
    const requestUri = await pushed();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => open(requestUri)));
    const codes = answers.flatMap(({ leftTo }) => (leftTo?.includes("code=") ? [leftTo] : []));
    expect(codes).toHaveLength(1);
    expect((await open(requestUri)).leftTo).toBeUndefined();
  });

  it("counts for no more than a minute (RFC 9126 2.2, 4)", async () => {
    const requestUri = await pushed();
    web().service.time.advance(60_000);
    const shown = await open(requestUri);
    expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
  });

  describe("of an application that demands them", () => {
    let strict: WebApplication;
    beforeAll(async () => {
      const security = sampleSecurity({ requirePushedAuthorizationRequests: true });
      strict = await web().application({ definition: sampleDefinition({ security }) });
    });

    it("can't be left out (RFC 9126 5, 6)", async () => {
      for (const sent of [{}, { prompt: "none" }, { request_uri: "https://evil.example/object" }]) {
        const { leftTo = "" } = await strict.authorize(user.browser, sent);
        expect(new URL(leftTo).searchParams.has("code")).toBe(false);
        expect(new URL(leftTo).searchParams.get("error")).toMatch(/^invalid_request$|^request_uri_not_supported$/);
      }
      const requestUri = await pushed({}, strict);
      const page = await open(requestUri, { client_id: strict.client.uuid });
      const code = answerOf(await allow(user.browser, page)).get("code") ?? "";
      expect((await strict.exchange(code)).status).toBe(200);
    });

    it("leaves no way by the paths of existing clients, which use nothing up (RFC 9126 5)", async () => {
      const post = (path: string, body: object) =>
        strict.post(path, JSON.stringify(body), { "content-type": "application/json" });
      const refused = { status: 400, body: { code: "invalid_argument", details: { error: "unauthorized_client" } } };
      const page = await open(await pushed({}, strict), { client_id: strict.client.uuid });
      const shown = page.html.includes('action="/oauth/consent"') ? await allow(user.browser, page) : page;
      const code = answerOf(shown).get("code") ?? "";
      const { codeVerifier: code_verifier, redirectUri: redirect_uri } = strict;
      const exchange = { code, code_verifier, redirect_uri };
      expect(await post("/oauth.ExchangeAuthorizationCodeV2", exchange)).toMatchObject(refused);
      const { refreshToken } = tokensIn(await strict.exchange(code));
      expect(await post("/oauth.RefreshAccessToken", { refresh_token: refreshToken })).toMatchObject(refused);
      expect((await strict.refresh(refreshToken)).status).toBe(200);
    });
  });
});
