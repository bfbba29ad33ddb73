import { beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../../../services/auth/applications/application.ts";
import { updateClient } from "../../../../services/auth/applications/applications-store.ts";
import {
  type ConfidentialApplication,
  confidentialApplication,
} from "../../../support/applications/confidential-application.ts";
import { DpopApplication } from "../../../support/applications/dpop-application.ts";
import { allow, tokensIn, type WebApplication, type WebTokens } from "../../../support/applications/web-application.ts";
import { describeAuthWebOnEachDatabase, type WebUser } from "../../../support/pages/auth-web.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const INACTIVE = { active: false };
const INVALID_CLIENT = { status: 401, error: "invalid_client" };
const SCOPE = "read_entities sale_eligibility_check";
const ISSUER = "https://auth.example";

describeAuthWebOnEachDatabase("introspection", (web) => {
  let confidential: ConfidentialApplication;
  let application: WebApplication;
  let user: WebUser;
  let live: WebTokens;
  beforeAll(async () => {
    [confidential, user] = [await confidentialApplication(web()), await web().user()];
    application = confidential.application;
    live = await tokens();
  });
  const tokens = async (of = confidential, by = user): Promise<WebTokens> =>
    tokensIn(await of.application.exchange(await of.application.code(by.browser), await of.asserted()));
  const introspect = async (token: string, sent: Readonly<Record<string, string>> = {}) =>
    confidential.introspect(token, { ...(await confidential.asserted()), ...sent });
  const bodyOf = async (token: string) => {
    const { status, body } = await introspect(token);
    expect(status).toBe(200);
    return body;
  };

  it("tells an application about its access token (RFC 7662 2.2)", async () => {
    const claims = JSON.parse(Buffer.from(live.accessToken.split(".")[1] ?? "", "base64url").toString());
    const { sub, jti, iat, exp, client_id } = claims;
    expect(client_id).toBe(application.client.uuid);
    const common = { active: true, iss: ISSUER, sub, client_id, scope: SCOPE, iat, exp };
    expect(await bodyOf(live.accessToken)).toEqual({ ...common, token_type: "Bearer", aud: ISSUER, jti });
    const ofRefreshToken = await bodyOf(live.refreshToken);
    expect(ofRefreshToken).toEqual({ ...common, exp: iat + 30 * 86_400, iat: expect.any(Number) });
  });

  it("says which key an access token is bound to (RFC 9449 6.2)", async () => {
    const proved = await DpopApplication.create(web(), application);
    const parameters = application.exchangeParameters(
      await application.code(user.browser),
      await confidential.asserted(),
    );
    expect(await proved.token(parameters, { claims: { nonce: undefined } })).toMatchObject({ error: "use_dpop_nonce" });
    // The refused proof has used neither the code nor the assertion up.
    const { accessToken, refreshToken } = tokensIn(await proved.token(parameters));
    const bound = { active: true, token_type: "DPoP", cnf: { jkt: proved.prover.thumbprint } };
    expect(await bodyOf(accessToken)).toMatchObject(bound);
    const ofRefreshToken = await bodyOf(refreshToken);
    expect(ofRefreshToken).toMatchObject({ active: true });
    expect(ofRefreshToken).not.toHaveProperty("cnf");
  });

  it.each(["access_token", "refresh_token", "saml", "x".repeat(200)])(
    "gives the same answers whatever the hint says: %s (RFC 7662 2.1)",
    async (hint) => {
      for (const token of [live.accessToken, live.refreshToken]) {
        expect((await introspect(token, { token_type_hint: hint })).body).toMatchObject({ active: true });
      }
      expect((await introspect("guessed", { token_type_hint: hint })).body).toEqual(INACTIVE);
    },
  );

  it("says nothing about another application's tokens (RFC 7662 4)", async () => {
    const other = await confidentialApplication(web());
    const open = await web().application();
    const foreign = [await tokens(other), await open.tokens(user.browser)];
    for (const { accessToken, refreshToken } of foreign) {
      for (const token of [accessToken, refreshToken]) expect(await bodyOf(token)).toEqual(INACTIVE);
    }
    for (const token of [live.accessToken, live.refreshToken]) {
      expect((await other.introspect(token)).body).toEqual(INACTIVE);
    }
  });

  it.each([
    ["unknown", "t".repeat(43)],
    ["malformed", "a.b.c"],
    ["unprintable", "a\0b.\u{1f600}"],
    ["huge", "t".repeat(8_000)],
    ["SQL", "' OR 1=1 --"],
    ["an unsigned access token", "eyJhbGciOiJub25lIn0.e30."],
  ])("says nothing about a token that is %s (RFC 7662 2.2)", async (_, token) => {
    expect(await bodyOf(token)).toEqual(INACTIVE);
  });

  it("says nothing about a code, a session or a changed access token (RFC 7662 2.2)", async () => {
    const [header, claims, signature] = live.accessToken.split(".");
    const forged = Buffer.from(JSON.stringify({ sub: "x" })).toString("base64url");
    const code = await application.code(user.browser);
    const changed = [
      `${header}.${forged}.${signature}`,
      `${header}.${claims}.${"A".repeat(86)}`,
      `${live.accessToken}.`,
    ];
    for (const token of [...changed, code, user.sessionToken, (await confidential.asserted()).client_assertion]) {
      expect(await bodyOf(token)).toEqual(INACTIVE);
    }
    expect(await application.exchange(code, await confidential.asserted())).toMatchObject({ status: 200 });
  });

  describe("knows at once", () => {
    const expectEnded = async ({ accessToken, refreshToken }: WebTokens) => {
      for (const token of [accessToken, refreshToken]) expect(await bodyOf(token)).toEqual(INACTIVE);
    };

    it("a revocation (RFC 7662 4)", async () => {
      const ended = await tokens();
      expect(await bodyOf(ended.accessToken)).toMatchObject({ active: true });
      await application.revoke(ended.refreshToken, await confidential.asserted());
      await expectEnded(ended);
    });

    it("a used refresh token, without taking that for theft (RFC 9700 4.14.2)", async () => {
      const first = await tokens();
      expect(await bodyOf(first.refreshToken)).toMatchObject({ active: true });
      const next = tokensIn(await application.refresh(first.refreshToken, await confidential.asserted()));
      expect(await bodyOf(first.refreshToken)).toEqual(INACTIVE);
      for (const token of [next.refreshToken, next.accessToken])
        expect(await bodyOf(token)).toMatchObject({ active: true });
    });

    it("a user who takes the consent back, or deletes the account (RFC 7662 2.2)", async () => {
      const withdrawing = await web().user();
      const withdrawn = await tokens(confidential, withdrawing);
      const { accounts } = web().service.as("gateway");
      const { sessionToken } = withdrawing;
      await accounts.withdrawConsent({ sessionToken, clientUuid: application.client.uuid });
      await expectEnded(withdrawn);
      const again = await tokens(confidential, withdrawing);
      expect(await bodyOf(again.accessToken)).toMatchObject({ active: true });
      await accounts.deleteAccount({ sessionToken });
      await expectEnded(again);
    });

    it("what the founder demands since: a scope that the user hasn't granted, or a key (RFC 7662 4)", async () => {
      const own = await confidentialApplication(web());
      const { client } = own.application;
      const { accessToken, refreshToken } = await tokens(own);
      const activeAfter = async (definition: Partial<Client["definition"]>) => {
        const changed = { ...client, definition: { ...client.definition, ...definition } };
        await web().service.database.write((transaction) => updateClient(transaction, changed));
        const answers = [await own.introspect(accessToken), await own.introspect(refreshToken)];
        return answers.map(({ body }) => body["active"]);
      };
      const { scopes, security } = client.definition;
      expect(await activeAfter({})).toEqual([true, true]);
      expect(await activeAfter({ scopes: scopes.map((scope) => ({ ...scope, required: true })) })).toEqual([
        false,
        false,
      ]);
      expect(await activeAfter({ security: { ...security, dpopBoundAccessTokens: true } })).toEqual([false, true]);
    });

    it("a scope that the user takes back (RFC 7662 2.2)", async () => {
      const own = await web().user();
      const changes = { scope: `${SCOPE} contact_email`, prompt: "consent" };
      const page = await application.authorize(own.browser, changes);
      const granted = await own.browser.send(page, {
        action: "/oauth/consent",
        fields: { decision: "allow", scope: "contact_email" },
      });
      const code = new URL(granted.leftTo ?? "").searchParams.get("code") ?? "";
      const { accessToken } = tokensIn(await application.exchange(code, await confidential.asserted()));
      expect(await bodyOf(accessToken)).toMatchObject({ scope: changes.scope });
      await allow(own.browser, await application.authorize(own.browser, { prompt: "consent" }));
      expect(await bodyOf(accessToken)).toMatchObject({ scope: SCOPE });
    });
  });

  it("is for confidential applications that authenticate (RFC 7662 2.1)", async () => {
    const open = await web().application();
    const { accessToken } = await open.tokens(user.browser);
    const refused: Readonly<Record<string, string>>[] = [
      {},
      { client_id: application.client.uuid },
      { client_id: open.client.uuid },
      { client_id: application.client.uuid, client_secret: "s" },
      { ...(await confidential.asserted()), client_id: open.client.uuid },
    ];
    for (const sent of refused) {
      for (const token of [live.accessToken, accessToken, "guessed"]) {
        const answer = await confidential.introspect(token, sent);
        expect(answer).toMatchObject(INVALID_CLIENT);
        expect(answer.body).not.toHaveProperty("active");
      }
    }
    for (const authorization of [`Bearer ${live.accessToken}`, "Basic eDp5"]) {
      const answer = await application.post("/oauth/introspect", `token=${live.accessToken}`, {
        ...FORM,
        authorization,
      });
      expect(answer).toMatchObject(INVALID_CLIENT);
    }
  });

  it("wants one token, in the body of a POST (RFC 7662 2.1)", async () => {
    const { client_assertion, client_assertion_type } = await confidential.asserted();
    const sent = new URLSearchParams({ client_assertion, client_assertion_type }).toString();
    const invalid = { status: 400, error: "invalid_request" };
    for (const body of [sent, `${sent}&token=`, `${sent}&token=a&token=b`]) {
      expect(await application.post("/oauth/introspect", body)).toMatchObject(invalid);
    }
    const query = `/oauth/introspect?${new URLSearchParams({ token: live.accessToken })}`;
    expect(await application.post(query, sent)).toMatchObject(invalid);
    expect((await fetch(web().origin + query)).status).toBe(405);
    const json = JSON.stringify({ token: live.accessToken, ...(await confidential.asserted()) });
    const answer = await application.post("/oauth/introspect", json, { "content-type": "application/json" });
    expect(answer).toMatchObject({ status: 415, error: "invalid_request" });
  });

  it("can't be read by a page, nor stored (RFC 7662 2.2)", async () => {
    const { client_assertion, client_assertion_type } = await confidential.asserted();
    const body = new URLSearchParams({ client_assertion, client_assertion_type, token: live.accessToken }).toString();
    const origin = new URL(application.redirectUri).origin;
    const ok = await application.post("/oauth/introspect", body, { ...FORM, origin });
    const failed = await application.post("/oauth/introspect", "token=a", { ...FORM, origin });
    const preflight = await fetch(`${web().origin}/oauth/introspect`, { method: "OPTIONS", headers: { origin } });
    expect([ok.status, failed.status, preflight.status]).toEqual([200, 401, 405]);
    for (const { headers } of [ok, failed, preflight]) {
      expect(headers.has("access-control-allow-origin")).toBe(false);
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });

  it("knows the expiry of both tokens (RFC 7662 2.2)", async () => {
    const { accessToken, refreshToken } = await tokens();
    web().service.time.advance(15 * 60_000);
    expect(await bodyOf(accessToken)).toEqual(INACTIVE);
    expect(await bodyOf(refreshToken)).toMatchObject({ active: true });
    web().service.time.advance(30 * 86_400_000);
    expect(await bodyOf(refreshToken)).toEqual(INACTIVE);
  });
});
