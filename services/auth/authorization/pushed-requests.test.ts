import { beforeEach, describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { ErrorReason } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { Client } from "../applications/application.ts";
import { updateClient } from "../applications/applications-store.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import { expiredRows } from "../expired-rows.ts";
import { type Application, answerOf, newToken, parametersOf, type SentParameters } from "../testing/application.ts";
import { clientKeyPair, signedAssertion } from "../testing/assertions.ts";
import { type AuthorizationClient, authorizationClient, signedInUser } from "../testing/authorization-client.ts";
import { sampleClient, sampleDefinition, sampleSecurity } from "../testing/sample-application.ts";

const REQUEST_URI = /^urn:ietf:params:oauth:request_uri:[\w-]{43}$/;

describe("a pushed request", () => {
  let auth: AuthorizationClient;
  let application: Application;
  let session: string;
  beforeEach(async () => {
    ({ auth, application, session } = await signedInUser());
  });

  const rows = () => auth.context.database.query.selectFrom("pushed_request").selectAll().execute();
  const change = (change: Parameters<typeof sampleClient>[0]) =>
    auth.context.database.write((transaction) => updateClient(transaction, sampleClient(change)));
  const demand = () =>
    change({
      definition: sampleDefinition({ security: sampleSecurity({ requirePushedAuthorizationRequests: true }) }),
    });

  it("begins an authorization, which ends as any other", async () => {
    const { requestUri, expiresInSeconds, codeVerifier } = await application.pushed();
    expect(requestUri).toMatch(REQUEST_URI);
    expect(expiresInSeconds).toBe(60);
    const attempt = { ...(await application.beginPushed(session, requestUri)), codeVerifier };
    expect(attempt.step.case).toBe("consent");
    const answer = answerOf(await application.decide(attempt, session));
    expect(answer.get("state")).toBe("a state");
    const result = await application.exchange({ code: answer.get("code") ?? "", codeVerifier });
    expect(result.case).toBe("tokens");
  });

  it("is stored without its request_uri, credentials and unknown parameters", async () => {
    const { requestUri } = await application.pushed({ unknown: "u", ui_locales: "de" });
    const [row] = await rows();
    expect(Buffer.from(row?.request_uri ?? []).equals(opaqueTokenHash(requestUri))).toBe(true);
    expect(
      JSON.parse(row?.parameters ?? "")
        .map(({ name }: { name: string }) => name)
        .toSorted(),
    ).toEqual(["client_id", "code_challenge", "redirect_uri", "response_type", "state", "ui_locales"]);
  });

  it.each<[string, SentParameters, string]>([
    ["no client", { client_id: [] }, "invalid_request"],
    ["an unknown client", { client_id: "99999999-2222-4222-8222-222222222222" }, "invalid_client"],
    ["no UUID", { client_id: "portal" }, "invalid_client"],
    ["a secret", { client_secret: "s" }, "invalid_client"],
    ["a request_uri", { request_uri: "urn:ietf:params:oauth:request_uri:x" }, "invalid_request"],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
    ["another redirect URI", { redirect_uri: "https://evil.example/" }, "invalid_request"],
    ["a doubled parameter", { state: ["a", "b"] }, "invalid_request"],
    ["no challenge", { code_challenge: [] }, "invalid_request"],
    ["another response type", { response_type: "token" }, "unsupported_response_type"],
    ["a malformed scope", { scope: "read\tentities" }, "invalid_scope"],
  ])("is refused with %s", async (_, changes, error) => {
    expect(await application.pushError(changes)).toBe(error);
    expect(await rows()).toEqual([]);
  });

  it("isn't stored if it is too long, which controls in a parameter that is ignored make it", async () => {
    const longest = {
      scope: "openid",
      state: '"'.repeat(2_000),
      nonce: "n".repeat(512),
      login_hint: "a".repeat(1_500),
    };
    expect(await application.pushError(longest)).toBe("");
    expect(await application.pushError({ display: "\u0001".repeat(1_400) })).toBe("invalid_request");
    expect(await rows()).toHaveLength(1);
  });

  it("is refused of a client that is disabled, or not ready", async () => {
    await change({ status: "disabled" });
    expect(await application.pushError()).toBe("invalid_client");
    await change({ definition: sampleDefinition({ scopes: [] }) });
    expect(await application.pushError()).toBe("unauthorized_client");
  });

  it("leads the browser that began from it back to the same page, and no other browser", async () => {
    const { requestUri } = await application.pushed();
    const first = await application.beginPushed(session, requestUri);
    const again = await application.beginPushed(session, requestUri, {}, first.browserToken);
    expect(again.step).toEqual(first.step);
    const other = await application.beginPushed(session, requestUri);
    expect(other.step).toMatchObject({ case: "error", value: { reason: ErrorReason.OTHER_BROWSER, redirectUrl: "" } });
    await application.decide(first, session);
    const late = await application.beginPushed(session, requestUri, {}, first.browserToken);
    expect(late.step).toMatchObject({ case: "error", value: { reason: ErrorReason.ANSWERED } });
  });

  it("begins although an attempt of the transaction, whose outcome was lost, has stored the authorization", async () => {
    const { requestUri } = await application.pushed();
    const { browserToken } = await application.beginPushed(session, requestUri);
    const { query } = auth.context.database;
    await query.updateTable("pushed_request").set({ used_at_ms: null }).execute();
    const again = await application.beginPushed(session, requestUri, {}, browserToken);
    expect(again.step.case).toBe("consent");
    expect(await query.selectFrom("authorization_request").select("request").execute()).toHaveLength(1);
  });

  it("gives one code where no page is shown", async () => {
    await application.tokens(session);
    const { requestUri } = await application.pushed();
    const { step, browserToken } = await application.beginPushed(session, requestUri);
    expect(answerOf(step).has("code")).toBe(true);
    const again = await application.beginPushed(session, requestUri, {}, browserToken);
    expect(again.step).toMatchObject({ case: "error", value: { reason: ErrorReason.EXPIRED, redirectUrl: "" } });
  });

  it("counts for a minute, and is deleted then", async () => {
    const { requestUri } = await application.pushed();
    auth.context.time.advance(60_000);
    expect((await application.beginPushed(session, requestUri)).step).toMatchObject({
      case: "error",
      value: { reason: ErrorReason.EXPIRED, error: { error: "invalid_request_uri" }, redirectUrl: "" },
    });
    const expired = expiredRows(auth.context.time.now(), 1n).find(({ table }) => table === "pushed_request");
    expect(expired).toMatchObject({ ageColumn: "expires_at_ms", cutoff: auth.context.time.now() });
  });

  it("is checked again when the authorization begins", async () => {
    const { requestUri } = await application.pushed();
    await change({ definition: sampleDefinition({ redirectUris: ["https://other.example/"] }) });
    expect((await application.beginPushed(session, requestUri)).step).toMatchObject({
      case: "error",
      value: { reason: ErrorReason.UNTRUSTED, redirectUrl: "" },
    });
  });

  it("stays unused by a request of another client", async () => {
    const other = await auth.application({ uuid: "33333333-3333-4333-8333-333333333333" });
    const { requestUri } = await application.pushed();
    expect((await other.beginPushed(session, requestUri)).step).toMatchObject({
      case: "error",
      value: { error: { error: "invalid_request_uri" } },
    });
    expect((await application.beginPushed(session, requestUri)).step.case).toBe("consent");
  });

  it("is the only source of parameters, and request can't be sent with it", async () => {
    const { requestUri } = await application.pushed({ scope: "read_entities" });
    const changes = { state: "evil", scope: "contact_email", redirect_uri: "https://evil.example/", prompt: "none" };
    expect((await application.beginPushed(session, requestUri, { request: "e30" })).step.case).toBe("error");
    const { step } = await application.beginPushed(session, requestUri, changes);
    expect(step).toMatchObject({ case: "consent", value: { client: { redirectHost: "app.example" } } });
  });

  it("is silent with prompt=none, also where it was pushed", async () => {
    const { requestUri } = await application.pushed({ prompt: "none" });
    const { step } = await application.beginPushed("", requestUri);
    expect(Object.fromEntries(answerOf(step))).toMatchObject({ error: "login_required", state: "a state" });
  });

  it("is demanded of its client's every authorization, by a redirect as other errors", async () => {
    await demand();
    const { step } = await application.begin(session);
    expect(Object.fromEntries(answerOf(step))).toMatchObject({ error: "invalid_request", state: "a state" });
    expect((await application.begin("")).step).toMatchObject({
      case: "error",
      value: { reason: ErrorReason.REFUSED, error: { error: "invalid_request" } },
    });
    const foreign = await application.begin(session, { request_uri: "https://evil.example/object" });
    expect(answerOf(foreign.step).has("error")).toBe(true);
    const { requestUri } = await application.pushed();
    expect((await application.beginPushed(session, requestUri)).step.case).toBe("consent");
  });

  it("tells the gateway which languages the application asked for", async () => {
    const { requestUri } = await application.pushed({ ui_locales: "de" });
    const parameters = [
      { name: "client_id", value: application.client.uuid },
      { name: "request_uri", value: requestUri },
    ];
    const request = { parameters, browserToken: newToken() };
    expect((await auth.authorization.beginAuthorization(request)).uiLocales).toBe("de");
  });
});

describe("the limits of requests that nobody authenticated", () => {
  const peer = { address: "2001:db8::7", userAgent: "" };

  it("count the network and the application where it doesn't authenticate, before anything is stored", async () => {
    const taken: string[] = [];
    const take = async (limit: string, key: string, clientUuid = "of all") => {
      taken.push(`${limit} ${key} ${clientUuid}`);
      if (limit === "push_unauthenticated_address") throw new ServiceError("resource_exhausted", "too many");
    };
    const auth = await authorizationClient({ rateLimits: { take } });
    const { client } = await auth.application();
    const parameters = requestParameters(client);
    await expect(auth.authorization.pushAuthorizationRequest({ parameters, peer })).rejects.toThrow("too many");
    await auth.authorization.beginAuthorization({ parameters, browserToken: newToken(), peer });
    expect(taken).toEqual([
      "push_address 2001:db8::7 of all",
      `push_unauthenticated_address 2001:db8::7 ${client.uuid}`,
      "authorize_address 2001:db8::7 of all",
      `authorize_page_address 2001:db8::7 ${client.uuid}`,
    ]);
    expect(await auth.context.database.query.selectFrom("pushed_request").selectAll().execute()).toEqual([]);
  });

  it("don't count an application that authenticates, as one address pushes for all of its users", async () => {
    const taken: string[] = [];
    const auth = await authorizationClient({ rateLimits: { take: async (limit) => void taken.push(limit) } });
    const pair = await clientKeyPair();
    const security = sampleSecurity({ tokenEndpointAuthMethod: "private_key_jwt", jwks: [pair.publicJwk] });
    const { client } = await auth.application({ definition: sampleDefinition({ security }) });
    const assertion = {
      client_assertion: await signedAssertion(pair, client.uuid, auth.context.clock()),
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    };
    const parameters = [...requestParameters(client), ...parametersOf(assertion)];
    const { result } = await auth.authorization.pushAuthorizationRequest({ parameters, peer });
    expect([result.case, taken]).toEqual(["pushed", ["push_address"]]);
  });
});

function requestParameters({ uuid, definition }: Client) {
  return parametersOf({
    response_type: "code",
    client_id: uuid,
    redirect_uri: definition.redirectUris[0] ?? "",
    code_challenge: "c".repeat(43),
  });
}
