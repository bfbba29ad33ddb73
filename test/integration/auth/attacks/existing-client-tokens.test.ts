import { beforeAll, describe, expect, it } from "vitest";
import { newToken } from "../../../../services/auth/testing/application.ts";
import { type EndpointAnswer, tokensIn, type WebApplication } from "../../../support/applications/web-application.ts";
import { describeAuthWebOnEachDatabase, type WebUser } from "../../../support/pages/auth-web.ts";

const AT_ONCE = 20;
const GRACE_MS = 10_000;
const EXCHANGE = "/oauth.ExchangeAuthorizationCodeV2";
const REFRESH = "/oauth.RefreshAccessToken";
const INVALID_GRANT = { status: 400, error: "invalid_grant" };
/** The same refusal in the shape of these operations. */
const REFUSED = { status: 400, body: { code: "invalid_argument", details: { error: "invalid_grant" } } };

type Headers = Readonly<Record<string, string>>;

/** The two operations at the root, which existing clients use without naming themselves. */
function rootCalls(application: WebApplication) {
  const post = (path: string, body: object, headers: Headers = {}) =>
    application.post(path, JSON.stringify(body), { "content-type": "application/json", ...headers });
  return {
    exchange: (code: string, changes: object = {}, headers?: Headers) => {
      const { codeVerifier: code_verifier, redirectUri: redirect_uri } = application;
      return post(EXCHANGE, { code, code_verifier, redirect_uri, ...changes }, headers);
    },
    refresh: (refreshToken: string, more: object = {}, headers?: Headers) =>
      post(REFRESH, { refresh_token: refreshToken, ...more }, headers),
  };
}

describeAuthWebOnEachDatabase("the token operations for existing clients", (web) => {
  let application: WebApplication;
  let root: ReturnType<typeof rootCalls>;
  let user: WebUser;
  beforeAll(async () => {
    [application, user] = [await web().application(), await web().user()];
    root = rootCalls(application);
  });
  const code = () => application.code(user.browser);
  const newTokens = async () => tokensIn(await root.exchange(await code()));
  const isLive = async (accessToken: string) => (await application.userInfo(accessToken)).status === 200;

  describe("give a code", () => {
    it("away once, whichever endpoint redeems it first, and its second use at the other one revokes the tokens", async () => {
      for (const [first, second, refused] of [
        [application.exchange.bind(application), root.exchange, REFUSED],
        [root.exchange, application.exchange.bind(application), INVALID_GRANT],
        [root.exchange, root.exchange, REFUSED],
      ] as const) {
        const stolen = await code();
        const { accessToken, refreshToken } = tokensIn(await first(stolen));
        expect(await second(stolen)).toMatchObject(refused);
        expect(await isLive(accessToken)).toBe(false);
        expect(await application.refresh(refreshToken)).toMatchObject(INVALID_GRANT);
        expect(await root.refresh(refreshToken)).toMatchObject(REFUSED);
      }
    });

    it(`away once in ${AT_ONCE} concurrent exchanges at both`, async () => {
      const stolen = await code();
      const exchanges = Array.from({ length: AT_ONCE }, (_, index) =>
        index % 2 === 0 ? root.exchange(stolen) : application.exchange(stolen),
      );
      const statuses = (await Promise.all(exchanges)).map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([200, ...Array(AT_ONCE - 1).fill(400)]);
    });

    it("to nobody with a wrong verifier, who neither burns it nor revokes its tokens (RFC 9700 4.5.3.1)", async () => {
      const stolen = await code();
      for (const code_verifier of [newToken(), application.codeChallenge]) {
        expect(await root.exchange(stolen, { code_verifier })).toMatchObject(REFUSED);
      }
      const { accessToken } = tokensIn(await root.exchange(stolen));
      expect(await root.exchange(stolen, { code_verifier: newToken() })).toMatchObject(REFUSED);
      expect(await isLive(accessToken)).toBe(true);
    });

    it("to nobody with another redirect URI, or without one (RFC 6749 4.1.3)", async () => {
      const stolen = await code();
      expect(await root.exchange(stolen, { redirect_uri: `${application.redirectUri}/` })).toMatchObject(REFUSED);
      for (const redirect_uri of ["", undefined]) {
        expect(await root.exchange(stolen, { redirect_uri })).toMatchObject({ status: 400 });
      }
      expect(await root.exchange(stolen)).toMatchObject({ status: 200 });
    });

    it("to nobody after a minute", async () => {
      const late = await code();
      web().service.time.advance(60_000);
      expect(await root.exchange(late)).toMatchObject(REFUSED);
    });
  });

  describe("rotate a refresh token", () => {
    it("with one successor for both endpoints within the grace period (RFC 9700 4.14.2)", async () => {
      const { refreshToken } = await newTokens();
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          index % 2 === 0 ? root.refresh(refreshToken) : application.refresh(refreshToken),
        ),
      );
      expect(new Set(answers.map((answer) => tokensIn(answer).refreshToken)).size).toBe(1);
    });

    it("so that its reuse at either one revokes all tokens (RFC 9700 4.14.2)", async () => {
      for (const [first, second, refused] of [
        [application.refresh.bind(application), root.refresh, REFUSED],
        [root.refresh, application.refresh.bind(application), INVALID_GRANT],
      ] as const) {
        const { accessToken, refreshToken } = await newTokens();
        const later = tokensIn(await first(refreshToken));
        web().service.time.advance(GRACE_MS + 1);
        expect(await second(refreshToken)).toMatchObject(refused);
        expect(await application.refresh(later.refreshToken)).toMatchObject(INVALID_GRANT);
        expect(await root.refresh(later.refreshToken)).toMatchObject(REFUSED);
        for (const token of [accessToken, later.accessToken]) expect(await isLive(token)).toBe(false);
      }
    });

    it("whatever the Authorization header says, which is never a reason for 401", async () => {
      const { accessToken, refreshToken } = await newTokens();
      let current = refreshToken;
      for (const authorization of [`api:Bearer ${accessToken}x`, "api:Bearer expired", "Basic eDp5"]) {
        current = tokensIn(await root.refresh(current, {}, { authorization })).refreshToken;
        expect(await root.refresh("unknown", {}, { authorization })).toMatchObject(REFUSED);
      }
    });

    it("with the granted scopes, whatever the body asks for", async () => {
      const { refreshToken } = await newTokens();
      const { accessToken } = tokensIn(await root.refresh(refreshToken, { scope: "contact_email" }));
      expect((await application.userInfo(accessToken)).body).not.toHaveProperty("email");
    });

    it("never after its revocation, or that of its client", async () => {
      const { refreshToken } = await newTokens();
      await application.revoke(refreshToken);
      expect(await root.refresh(refreshToken)).toMatchObject(REFUSED);
      const own = await web().application();
      const { refreshToken: ofDisabled } = await own.tokens(user.browser);
      await web().service.clients.disableClient({ clientUuid: own.client.uuid });
      expect(await rootCalls(own).refresh(ofDisabled)).toMatchObject(REFUSED);
      expect(await own.refresh(ofDisabled)).toMatchObject({ status: 401, error: "invalid_client" });
    });
  });

  describe("weaken nothing at the token endpoint", () => {
    const nameless = (refreshToken: string, more: Headers = {}): Promise<EndpointAnswer> =>
      application.token({ grant_type: "refresh_token", refresh_token: refreshToken, ...more });

    it("where a refresh must still name its client (RFC 6749 6)", async () => {
      const { refreshToken } = await newTokens();
      expect(await nameless(refreshToken)).toMatchObject({ status: 400, error: "invalid_request" });
      expect(await nameless(refreshToken, { client_optional: "true" })).toMatchObject({ error: "invalid_request" });
      const other = await web().application();
      expect(await nameless(refreshToken, { client_id: other.client.uuid })).toMatchObject(INVALID_GRANT);
      expect(await root.refresh(refreshToken)).toMatchObject({ status: 200 });
    });

    it("and neither token is accepted as the other, nor a code as a refresh token", async () => {
      const { accessToken, refreshToken } = await newTokens();
      const unused = await code();
      for (const wrong of [accessToken, unused]) expect(await root.refresh(wrong)).toMatchObject(REFUSED);
      expect(await root.exchange(refreshToken)).toMatchObject(REFUSED);
      expect(await root.exchange(unused)).toMatchObject({ status: 200 });
    });

    it("and a form is refused at the root, so that no other site's form can send one", async () => {
      const form = { "content-type": "application/x-www-form-urlencoded" };
      for (const path of [EXCHANGE, REFRESH]) {
        expect(await application.post(path, "refresh_token=a", form)).toMatchObject({ status: 415 });
        expect(await application.post(path, '{"refresh_token":"a"}', { "content-type": "text/plain" })).toMatchObject({
          status: 415,
        });
      }
    });
  });
});
