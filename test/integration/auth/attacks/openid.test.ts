import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { urlJwks } from "../../../../common/platform/jwt/jwks-source.ts";
import { AUTH_PATHS } from "../../../../gateway/web/sessions/auth-paths.ts";
import { AccessTokenVerifier } from "../../../../services/auth/testing/access-token-verifier.ts";
import { sampleDefinition, sampleSecurity } from "../../../../services/auth/testing/sample-application.ts";
import {
  allow,
  answerOf,
  CONSENT,
  queryOf,
  type WebApplication,
} from "../../../support/applications/web-application.ts";
import { describeAuthWeb, SESSION_COOKIE, type WebUser } from "../../../support/pages/auth-web.ts";
import { sendTampered } from "../../../support/pages/tampered-form.ts";
import { ISSUER } from "../../../support/processes/auth-fixture.ts";

const RETURN = "https://app.example/signed-out";

/** Errors of an authorization request with the scope `openid`. */
const REFUSED: readonly [
  attack: string,
  rule: string,
  sent: Readonly<Record<string, string | string[]>>,
  error: string,
][] = [
  ["claims", "OIDC Core 5.5", { claims: '{"userinfo":{"email":{"essential":true}}}' }, "invalid_request"],
  ["registration", "OIDC Core 7.2.1", { registration: '{"client_name":"x"}' }, "registration_not_supported"],
  ["a request object", "OIDC Core 6.1", { request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported"],
  ["a request to fetch", "OIDC Core 6.2", { request_uri: "http://169.254.169.254/" }, "request_uri_not_supported"],
  ["a nonce with a line break", "OIDC Core 3.1.2.1", { nonce: "a\r\nb" }, "invalid_request"],
  ["a nonce oversized", "OIDC Core 3.1.2.1", { nonce: "n".repeat(513) }, "invalid_request"],
  ["a nonce doubled", "RFC 6749 3.1", { nonce: ["a", "b"] }, "invalid_request"],
  ["max_age negative", "OIDC Core 3.1.2.1", { max_age: "-1" }, "invalid_request"],
  ["max_age no number", "OIDC Core 3.1.2.1", { max_age: "1 OR 1=1" }, "invalid_request"],
  ["max_age beyond bounds", "OIDC Core 3.1.2.1", { max_age: "9".repeat(400) }, "invalid_request"],
  ["prompt none with select_account", "OIDC Core 3.1.2.1", { prompt: "none select_account" }, "invalid_request"],
  ["an implicit flow", "RFC 9700 2.1.2", { response_type: "id_token" }, "unsupported_response_type"],
  ["a hybrid flow", "RFC 9700 2.1.2", { response_type: "code id_token" }, "unsupported_response_type"],
  ["a form as answer", "OAuth Form Post", { response_mode: "form_post" }, "invalid_request"],
  ["a hint of nobody", "OIDC Core 3.1.2.1", { id_token_hint: "x" }, "login_required"],
];

describeAuthWeb("OpenID Connect under attack", (web) => {
  let application: WebApplication;
  let other: WebApplication;
  /** An application of the same sale, so that it knows users by the same names. */
  let sibling: WebApplication;
  let user: WebUser;
  let idToken: string;
  let accessToken: string;
  beforeAll(async () => {
    const security = sampleSecurity({ postLogoutRedirectUris: [RETURN] });
    application = await web().application({ definition: sampleDefinition({ security }) });
    other = await web().application();
    sibling = await web().application({ saleUuid: application.client.saleUuid });
    user = await web().user();
    const { body } = await application.exchange(await application.code(user.browser, { scope: "openid", nonce: "n1" }));
    [idToken, accessToken] = [String(body["id_token"]), String(body["access_token"])];
  });

  const unsigned = () => `${encoded({ alg: "none", typ: "JWT" })}.${idToken.split(".")[1]}.`;
  const isSignedIn = async () => (await user.browser.open(AUTH_PATHS.account)).path === AUTH_PATHS.account;

  it.each(REFUSED)("refuses %s (%s)", async (_, __, sent, error) => {
    const shown = await application.authorize(user.browser, { scope: "openid", ...sent });
    expect([shown.status, answerOf(shown).get("error")]).toEqual([303, error]);
  });

  it.each([
    { display: "wap" },
    { ui_locales: "xx" },
    { claims_locales: "xx" },
    { acr_values: "phr urn:x" },
    { foo: "bar" },
  ])("isn't refused for a wish that can't be met: %j (Core 3.1.2.1, 15.1)", async (wish) => {
    const shown = await application.authorize(user.browser, { scope: "openid", prompt: "none", ...wish });
    expect(answerOf(shown).has("code")).toBe(true);
  });

  it("leads nowhere without redirect_uri, which only OAuth lets a client with a single one omit (Core 3.1.2.1)", async () => {
    const shown = await application.authorize(user.browser, { scope: "openid", redirect_uri: [], prompt: "none" });
    expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
    const sent = { ...application.authorizeParameters(), scope: "openid", redirect_uri: [] };
    const pushed = await application.post(AUTH_PATHS.push, queryOf(sent));
    expect(pushed).toMatchObject({ status: 400, error: "invalid_request" });
    expect(await application.code(user.browser, { redirect_uri: [] })).not.toBe("");
  });

  describe("an ID token", () => {
    it("has nothing in its header by which it could bring a key along (Core 2)", () => {
      expect(Object.keys(decodeProtectedHeader(idToken)).toSorted()).toEqual(["alg", "kid", "typ"]);
    });

    it("names the user differently to applications of other sales, which can't compare (Core 8.1)", async () => {
      const { sub } = decodeJwt(idToken);
      expect(decodeJwt(await idTokenOf(other, user)).sub).not.toBe(sub);
      for (const same of [application, sibling]) expect(decodeJwt(await idTokenOf(same, user)).sub).toBe(sub);
      expect(sub).not.toContain(user.accountUuid);
    });

    it("isn't given for a refresh that asks for more than was granted (Core 12.1, RFC 6749 6)", async () => {
      const { refreshToken } = await application.tokens(user.browser);
      for (const scope of ["openid", "openid read_entities"]) {
        expect(await application.refresh(refreshToken, { scope })).toMatchObject({
          status: 400,
          error: "invalid_scope",
        });
      }
      expect((await application.refresh(refreshToken)).body).not.toHaveProperty("id_token");
    });

    it("echoes the nonce of its own request only (Core 3.1.3.7)", async () => {
      expect(decodeJwt(idToken)["nonce"]).toBe("n1");
      const { body } = await application.exchange(await application.code(user.browser, { scope: "openid" }));
      expect(decodeJwt(String(body["id_token"]))).not.toHaveProperty("nonce");
    });

    it("isn't given without the scope openid, whatever else is sent (Core 3.1.2.1)", async () => {
      const { body } = await application.exchange(
        await application.code(user.browser, { nonce: "n1", max_age: "3600" }),
      );
      expect(body).not.toHaveProperty("id_token");
    });

    it("is no access token: at userinfo, revocation and services (RFC 9068 4, RFC 8725 3.11)", async () => {
      expect(await application.userInfo(idToken)).toMatchObject({ status: 401, error: "invalid_token" });
      await application.revoke(idToken);
      expect((await application.userInfo(accessToken)).status).toBe(200);
      const rules = {
        issuer: ISSUER,
        audience: application.client.uuid,
        issuedFor: "any sale",
        tenancy: "live",
      } as const;
      const verifier = new AccessTokenVerifier({ jwks: urlJwks(web().origin + AUTH_PATHS.jwks), ...rules });
      await expect(verifier.verify(`Bearer ${idToken}`, [])).rejects.toMatchObject({ code: "unauthenticated" });
    });

    it("is signed with RS256, access tokens beside it with ES256, by keys that the JWKS tells apart", async () => {
      const { keys } = (await (await fetch(web().origin + AUTH_PATHS.jwks)).json()) as { keys: { kid: string }[] };
      for (const [token, alg, kty] of [
        [idToken, "RS256", "RSA"],
        [accessToken, "ES256", "EC"],
      ] as const) {
        const header = decodeProtectedHeader(token);
        expect(keys.find(({ kid }) => kid === header.kid)).toMatchObject({ kty, alg, use: "sig" });
        expect(header.alg).toBe(alg);
      }
    });
  });

  describe("max_age", () => {
    it("isn't met by an old session, with prompt=none or a page, nor by its consent (Core 3.1.2.1)", async () => {
      const old = await web().user();
      await application.tokens(old.browser, { scope: "openid" });
      web().service.time.advance(120_000);
      const silent = { scope: "openid", max_age: "60", prompt: "none" };
      expect(answerOf(await application.authorize(old.browser, silent)).get("error")).toBe("login_required");
      const page = await application.authorize(old.browser, { scope: "openid", max_age: "60", prompt: "consent" });
      expect([page.leftTo, page.html.includes('action="/sign-in"')]).toEqual([undefined, true]);
      const young = { ...silent, max_age: "3600" };
      expect(answerOf(await application.authorize(old.browser, young)).has("code")).toBe(true);
    });
  });

  describe("prompt=login", () => {
    it("isn't met by the session that there was before, nor by another request's consent page (Core 3.1.2.3)", async () => {
      const { browser } = await web().user();
      web().service.time.advance(1);
      const asked = await application.authorize(browser, { scope: "openid" });
      const page = await application.authorize(browser, { scope: "openid", prompt: "login" });
      const again = await browser.open(page.path);
      const handle = new URL(page.path, ISSUER).searchParams.get("authorization") ?? "";
      const change = (fields: URLSearchParams) => {
        fields.set("authorization", handle);
        fields.set("decision", "allow");
      };
      const answered = await sendTampered(browser, asked, { action: CONSENT, change });
      for (const shown of [page, again, answered]) {
        expect([shown.leftTo, shown.html.includes('action="/sign-in"')]).toEqual([undefined, true]);
      }
      expect(answerOf(await allow(browser, asked)).has("code")).toBe(true);
    });
  });

  describe("an id_token_hint", () => {
    it.each<[string, () => Promise<string> | string]>([
      ["alg none (RFC 8725 3.1)", unsigned],
      ["an access token (RFC 8725 3.11)", () => accessToken],
      ["another client's ID token, though with the same subject (Core 3.1.2.1)", () => idTokenOf(sibling, user)],
      ["a changed subject", () => changed(idToken, { sub: "somebody" })],
    ])("is refused: %s", async (_, hint) => {
      const sent = { scope: "openid", id_token_hint: await hint(), prompt: "none" };
      expect(answerOf(await application.authorize(user.browser, sent)).get("error")).toBe("login_required");
    });

    it("lets nobody else answer (Core 3.1.2.1)", async () => {
      const stranger = await web().user();
      await application.tokens(stranger.browser);
      const sent = { scope: "openid", id_token_hint: idToken, prompt: "none" };
      expect(answerOf(await application.authorize(stranger.browser, sent)).get("error")).toBe("login_required");
      expect(answerOf(await application.authorize(user.browser, sent)).has("code")).toBe(true);
    });
  });

  describe("userinfo", () => {
    it("has the subject of the ID token, and no claim whose scope the user hasn't granted (Core 5.3.2, 5.4)", async () => {
      expect((await application.userInfo(accessToken)).body).toEqual({ sub: decodeJwt(idToken).sub });
    });

    it("takes the token from the header only, not from a form or an address (RFC 9700 4.3.2)", async () => {
      const form = await application.post(AUTH_PATHS.userinfo, queryOf({ access_token: accessToken }));
      expect(form.status).toBe(401);
      expect(form.headers.get("www-authenticate")).toMatch(/^Bearer realm="tidemark"/);
      expect(form.headers.get("www-authenticate")).not.toContain("error=");
      const query = await fetch(`${web().origin}${AUTH_PATHS.userinfo}?access_token=${accessToken}`);
      expect(query.status).toBe(401);
      const post = await application.post(AUTH_PATHS.userinfo, "", { authorization: `Bearer ${accessToken}` });
      expect([post.status, post.body["sub"]]).toEqual([200, decodeJwt(idToken).sub]);
    });
  });

  describe("a logout", () => {
    const logoutPath = (sent: Readonly<Record<string, string>>) => `${AUTH_PATHS.logout}?${new URLSearchParams(sent)}`;

    it("signs nobody out by a link, an image or a form of another site (RP-Initiated Logout 2)", async () => {
      const sent = { id_token_hint: idToken, post_logout_redirect_uri: RETURN };
      const page = await user.browser.open(logoutPath(sent));
      expect([page.status, page.leftTo]).toEqual([200, undefined]);
      await user.browser.post(AUTH_PATHS.logout, sent);
      const forged = { action: AUTH_PATHS.confirmLogout, headers: { "sec-fetch-site": "cross-site" } };
      expect((await user.browser.send(page, forged)).status).toBe(403);
      expect(await isSignedIn()).toBe(true);
    });

    it.each<[string, () => Readonly<Record<string, string>>]>([
      [
        "an unregistered address",
        () => ({ id_token_hint: idToken, post_logout_redirect_uri: "https://evil.example/" }),
      ],
      ["an address with a path added", () => ({ id_token_hint: idToken, post_logout_redirect_uri: `${RETURN}/..` })],
      [
        "a redirect URI of sign-ins",
        () => ({ id_token_hint: idToken, post_logout_redirect_uri: application.redirectUri }),
      ],
      ["an address without any client", () => ({ post_logout_redirect_uri: RETURN })],
      [
        "an address with alg none (RFC 8725 3.1)",
        () => ({ id_token_hint: unsigned(), post_logout_redirect_uri: RETURN }),
      ],
      ["an address with an access token", () => ({ id_token_hint: accessToken, post_logout_redirect_uri: RETURN })],
      ["another client than the hint's", () => ({ id_token_hint: idToken, client_id: other.client.uuid })],
      ["another client's address", () => ({ client_id: other.client.uuid, post_logout_redirect_uri: RETURN })],
    ])("leads nowhere: %s (RP-Initiated Logout 3)", async (_, sent) => {
      for (const browser of [user.browser, web().browser()]) {
        const page = await browser.open(logoutPath(sent()));
        expect([page.status, page.leftTo]).toEqual([400, undefined]);
        expect(page.html).not.toMatch(/href="http|evil\.example/);
      }
    });

    it("redirects nobody who isn't signed in (RFC 9700 4.11.2)", async () => {
      const sent = { id_token_hint: idToken, post_logout_redirect_uri: RETURN, state: "</a><script>" };
      const page = await web().browser().open(logoutPath(sent));
      expect([page.status, page.leftTo]).toEqual([200, undefined]);
      expect(page.html).not.toContain("<script>");
    });

    it("says that the ID token is another user's, and ends the session only after a yes", async () => {
      const stranger = await web().user();
      const page = await stranger.browser.open(
        logoutPath({ id_token_hint: idToken, post_logout_redirect_uri: RETURN }),
      );
      expect(page.html).toContain("another account");
      const answer = await stranger.browser.send(page, { action: AUTH_PATHS.confirmLogout });
      expect([answer.leftTo, stranger.browser.cookies.has(SESSION_COOKIE)]).toEqual([RETURN, false]);
      expect((await application.userInfo(accessToken)).status).toBe(200);
    });
  });
});

async function idTokenOf(application: WebApplication, { browser }: WebUser): Promise<string> {
  const { body } = await application.exchange(await application.code(browser, { scope: "openid" }));
  return String(body["id_token"]);
}

function changed(token: string, claims: object): string {
  const [header, , signature] = token.split(".");
  return `${header}.${encoded({ ...decodeJwt(token), ...claims })}.${signature}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
