import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import type { ShownPage } from "../../../../gateway/testing/page-browser.ts";
import { Tenancy } from "../../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { definitionInit, sampleClient } from "../../../../services/auth/testing/sample-application.ts";
import { createFitClient, REDIRECT_URI } from "../../../support/applications/fit-client.ts";
import { allow, answerOf, CONSENT, tokensIn, WebApplication } from "../../../support/applications/web-application.ts";
import {
  type AuthWeb,
  BROWSER_COOKIE,
  describeAuthWeb,
  SESSION_COOKIE,
  type WebUser,
} from "../../../support/pages/auth-web.ts";
import { sendTampered } from "../../../support/pages/tampered-form.ts";
import { auction } from "../../../support/sales/sale-messages.ts";

type Tampering = readonly [attack: string, rfc: string, change: (fields: URLSearchParams) => void];

const HANDLE = "h".repeat(43);

/** Changes to the form, none of which may give a code or count as the user's answer. */
const TAMPERINGS: readonly Tampering[] = [
  ["a required scope left out", "RFC 6749 3.3", (fields) => fields.delete("scope", "read_entities")],
  ["all scopes left out", "RFC 6749 3.3", (fields) => fields.delete("scope")],
  ["an unknown scope added", "RFC 6749 3.3", (fields) => fields.append("scope", "admin")],
  ["a scope added that wasn't asked for", "RFC 6749 3.3", (fields) => fields.append("scope", "contact_email")],
  ["an empty scope added", "RFC 6749 3.3", (fields) => fields.append("scope", "")],
  ["two scopes in one", "RFC 6749 3.3", (fields) => fields.append("scope", "read_entities contact_email")],
  ["an oversized scope added", "RFC 6749 3.3", (fields) => fields.append("scope", "s".repeat(5_000))],
  ["33 scopes", "RFC 6749 3.3", (fields) => manyScopes(fields)],
  ["no decision", "RFC 6749 4.1.1", (fields) => fields.delete("decision")],
  ["another decision", "RFC 6749 4.1.1", (fields) => fields.set("decision", "Allow")],
  ["two decisions", "RFC 6749 4.1.1", (fields) => fields.append("decision", "cancel")],
  ["another account", "RFC 6749 10.2", (fields) => fields.set("account", randomUUID())],
  ["no account", "RFC 6749 10.2", (fields) => fields.delete("account")],
  ["an account that is no UUID", "RFC 6749 10.2", (fields) => fields.set("account", "me")],
  ["two accounts", "RFC 6749 10.2", (fields) => fields.append("account", randomUUID())],
  ["no handle", "RFC 6749 4.1.1", (fields) => fields.delete("authorization")],
  ["a guessed handle", "RFC 6749 10.10", (fields) => fields.set("authorization", HANDLE)],
  ["an oversized handle", "RFC 6749 10.10", (fields) => fields.set("authorization", "h".repeat(5_000))],
  ["two handles", "RFC 6749 4.1.1", (fields) => fields.append("authorization", HANDLE)],
  ["another handle in front", "RFC 6749 4.1.1", (fields) => handleInFront(fields)],
];

describeAuthWeb("a consent page that was tampered with", (web) => {
  let user: WebUser;
  let application: WebApplication;
  let page: ShownPage;
  beforeEach(async () => {
    user = await web().user();
    application = await web().application();
    page = await application.authorize(user.browser, { scope: "read_entities sale_eligibility_check" });
  });

  it.each(TAMPERINGS)("gives no code: %s (%s)", async (_, __, change) => {
    const answer = await sendTampered(user.browser, page, {
      action: CONSENT,
      change: (fields) => {
        fields.set("decision", "allow");
        change(fields);
      },
    });
    expect(answer.leftTo).toBeUndefined();
    expect(answer.status).toBeLessThan(500);
    const { body } = await application.exchange(answerOf(await allow(user.browser, page)).get("code") ?? "");
    expect(body["scope"]).toBe("read_entities sale_eligibility_check");
  });

  it("can't change client, redirect URI, state and challenge (RFC 6749 4.1.1)", async () => {
    const answer = await sendTampered(user.browser, page, {
      action: CONSENT,
      change: (fields) => {
        fields.set("decision", "allow");
        fields.set("client_id", randomUUID());
        fields.set("redirect_uri", "https://evil.example/");
        fields.set("state", "evil");
        fields.set("code_challenge", "e".repeat(43));
      },
    });
    expect(answer.leftTo?.startsWith(`${application.redirectUri}?`)).toBe(true);
    expect(answerOf(answer).get("state")).toBe("a state");
    tokensIn(await application.exchange(answerOf(answer).get("code") ?? ""));
  });

  it("is answered once (RFC 6749 10.5)", async () => {
    expect(answerOf(await allow(user.browser, page)).has("code")).toBe(true);
    expect(await allow(user.browser, page)).toMatchObject({ status: 400, leftTo: undefined });
  });

  it("is refused from another browser that has everything but the cookie (RFC 9700 4.7.1)", async () => {
    const { browser } = user;
    browser.cookies.set(BROWSER_COOKIE, "o".repeat(43));
    expect(await allow(browser, page)).toMatchObject({ status: 400, leftTo: undefined });
    expect(await browser.open(page.path)).toMatchObject({ status: 400, leftTo: undefined });
  });

  it("gives no code once another account has signed in (RFC 6749 10.2)", async () => {
    const other = await web().user();
    user.browser.cookies.set(SESSION_COOKIE, other.sessionToken);
    expect(await allow(user.browser, page)).toMatchObject({ status: 422, leftTo: undefined });
    const anew = await user.browser.open(page.path);
    expect(anew.html).toContain(other.email);
    // The page of one account is sent with the session token of the other.
    const mixed = await sendTampered(user.browser, anew, {
      action: CONSENT,
      change: (fields) => {
        fields.set("decision", "allow");
        fields.set("account", user.accountUuid);
      },
    });
    expect(mixed).toMatchObject({ status: 200, leftTo: undefined });
    expect(mixed.html).toContain(other.email);
  });

  it("gives no code once its user has signed out (RFC 6749 10.2)", async () => {
    await web().service.as("gateway").accounts.signOut({ sessionToken: user.sessionToken });
    const answer = await allow(user.browser, page);
    expect(answer.leftTo).toBeUndefined();
    expect(answer.html).toContain('action="/sign-in"');
  });

  it("gives no code after half an hour (RFC 6749 4.1.1)", async () => {
    web().service.time.advance(30 * 60_000);
    expect(await allow(user.browser, page)).toMatchObject({ status: 400, leftTo: undefined });
  });
});

describeAuthWeb("a client that changes between the consent page and its answer", (web) => {
  let user: WebUser;
  beforeEach(async () => {
    user = await web().user();
  });

  it("gets no scope that the page didn't show (RFC 6749 3.3)", async () => {
    const application = await registered(web());
    await redefine(web(), application, { scopes: [{ scope: "read_entities", required: true }] });
    const page = await application.authorize(user.browser);
    await redefine(web(), application, {});
    expect(await allow(user.browser, page)).toMatchObject({ status: 422, leftTo: undefined });
    expect((await user.browser.open(page.path)).html).toContain('value="sale_eligibility_check"');
  });

  it("gets no scope that it no longer has (RFC 6749 3.3)", async () => {
    const application = await registered(web());
    const page = await application.authorize(user.browser);
    await redefine(web(), application, { scopes: [{ scope: "read_entities", required: true }] });
    expect(await allow(user.browser, page)).toMatchObject({ status: 422, leftTo: undefined });
  });

  it("gets neither a code nor a redirect at a URI that is no longer registered (RFC 9700 4.1)", async () => {
    const application = await registered(web());
    const page = await application.authorize(user.browser);
    await redefine(web(), application, { redirectUris: ["https://new.example/callback"] });
    const answer = await allow(user.browser, page);
    expect(answer).toMatchObject({ status: 400, leftTo: undefined });
    expect(answer.html).not.toContain('href="http');
  });

  it("gets neither a code nor a redirect once it is disabled (RFC 6749 4.1.2.1)", async () => {
    const application = await registered(web());
    const page = await application.authorize(user.browser);
    await web().service.clients.disableClient({ clientUuid: application.client.uuid });
    const answer = await allow(user.browser, page);
    expect(answer).toMatchObject({ status: 400, leftTo: undefined });
    expect(answer.html).not.toContain('href="http');
  });
});

/** An application whose client an operator can change. */
async function registered({ service, origin }: AuthWeb): Promise<WebApplication> {
  const { sale } = await service.commitments.sales.createSale({ tenancy: Tenancy.LIVE, definition: auction() });
  const saleUuid = sale?.uuid ?? "";
  const uuid = await createFitClient(service, saleUuid);
  const definition = { ...sampleClient().definition, redirectUris: [REDIRECT_URI] };
  return new WebApplication(origin, sampleClient({ uuid, saleUuid, definition }));
}

async function redefine(
  { service }: AuthWeb,
  { client: { uuid: clientUuid } }: WebApplication,
  change: Parameters<typeof definitionInit>[0],
): Promise<void> {
  const { client } = await service.clients.getClient({ clientUuid });
  const definition = definitionInit(change);
  await service.clients.updateClient({ clientUuid, definition, expectedVersion: client?.version ?? 0n });
}

function manyScopes(fields: URLSearchParams): void {
  for (let count = 0; count < 31; count++) fields.append("scope", "read_entities");
}

function handleInFront(fields: URLSearchParams): void {
  const own = fields.get("authorization") ?? "";
  fields.delete("authorization");
  fields.append("authorization", HANDLE);
  fields.append("authorization", own);
}
