import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { deleteExpiredRows } from "../../../../common/platform/db/expired-rows.ts";
import { expiredJwtIds, UsedJwtIds } from "../../../../services/auth/base/used-jwt-ids.ts";
import { type AssertionChanges, clientKeyPair, signedAssertion } from "../../../../services/auth/testing/assertions.ts";
import { definitionInit } from "../../../../services/auth/testing/sample-application.ts";
import {
  type ConfidentialApplication,
  confidentialApplication,
  confidentialDefinition,
  JWT_BEARER,
} from "../../../support/applications/confidential-application.ts";
import { tokensIn, type WebApplication, type WebTokens } from "../../../support/applications/web-application.ts";
import { type AuthWeb, describeAuthWebOnEachDatabase, type WebUser } from "../../../support/pages/auth-web.ts";

const AT_ONCE = 10;
const OTHER = "99999999-9999-4999-8999-999999999999";
const INVALID_CLIENT = { status: 401, error: "invalid_client" };
const INVALID_GRANT = { status: 400, error: "invalid_grant" };
const OK = { status: 200 };

describeAuthWebOnEachDatabase("a client assertion", (web) => {
  let confidential: ConfidentialApplication;
  let application: WebApplication;
  let user: WebUser;
  beforeAll(async () => {
    [confidential, user] = [await confidentialApplication(web()), await web().user()];
    application = confidential.application;
  });
  const asserted = (changes?: AssertionChanges) => confidential.asserted(changes);
  const tokens = async (): Promise<WebTokens> =>
    tokensIn(await application.exchange(await application.code(user.browser), await asserted()));
  const nowS = () => Number(web().service.time.now() / 1_000n);

  it("of its own key exchanges, refreshes and revokes, with and without client_id (RFC 7521 4.2)", async () => {
    for (const sent of [{}, { client_id: [] }]) {
      const code = await application.code(user.browser);
      const { refreshToken } = tokensIn(await application.exchange(code, { ...sent, ...(await asserted()) }));
      const next = tokensIn(await application.refresh(refreshToken, { ...sent, ...(await asserted()) }));
      expect(await application.revoke(next.refreshToken, { ...sent, ...(await asserted()) })).toMatchObject(OK);
      expect(await application.userInfo(next.accessToken)).toMatchObject({ status: 401 });
    }
  });

  it("is demanded for a code, a refresh and a revocation, and nothing is used up (RFC 6749 3.2.1)", async () => {
    const code = await application.code(user.browser);
    for (const sent of [{}, { client_id: [] }, { client_assertion: "", client_assertion_type: "" }]) {
      expect(await application.exchange(code, sent)).toMatchObject(INVALID_CLIENT);
    }
    const { accessToken, refreshToken } = tokensIn(await application.exchange(code, await asserted()));
    expect(await application.refresh(refreshToken)).toMatchObject(INVALID_CLIENT);
    for (const sent of [{}, { client_id: [] }]) {
      expect(await application.revoke(refreshToken, sent)).toMatchObject(INVALID_CLIENT);
      expect(await application.revoke(accessToken, sent)).toMatchObject(INVALID_CLIENT);
    }
    expect(await application.refresh("guessed")).toMatchObject(INVALID_CLIENT);
    expect(await application.userInfo(accessToken)).toMatchObject(OK);
    expect(await application.refresh(refreshToken, await asserted())).toMatchObject(OK);
  });

  it("is demanded before a thief's replay or reuse could revoke the tokens (RFC 9700 4.14.2)", async () => {
    const code = await application.code(user.browser);
    const first = tokensIn(await application.exchange(code, await asserted()));
    const next = tokensIn(await application.refresh(first.refreshToken, await asserted()));
    tokensIn(await application.refresh(next.refreshToken, await asserted()));
    expect(await application.exchange(code)).toMatchObject(INVALID_CLIENT);
    expect(await application.refresh(first.refreshToken)).toMatchObject(INVALID_CLIENT);
    expect(await application.userInfo(next.accessToken)).toMatchObject(OK);
    expect(await application.refresh(first.refreshToken, await asserted())).toMatchObject(INVALID_GRANT);
    expect(await application.userInfo(next.accessToken)).toMatchObject({ status: 401 });
  });

  it("doesn't stand in for PKCE (RFC 9700 2.1.1)", async () => {
    const code = await application.code(user.browser);
    const missing = { code_verifier: [], ...(await asserted()) };
    expect(await application.exchange(code, missing)).toMatchObject({ status: 400, error: "invalid_request" });
    const wrong = { code_verifier: "w".repeat(43), ...(await asserted()) };
    expect(await application.exchange(code, wrong)).toMatchObject(INVALID_GRANT);
    expect(await application.exchange(code, await asserted())).toMatchObject(OK);
    const without = await application.authorize(user.browser, { code_challenge: [] });
    expect(without.leftTo).toContain("error=invalid_request");
  });

  describe("is refused", () => {
    let refreshToken: string;
    beforeAll(async () => {
      refreshToken = (await tokens()).refreshToken;
    });

    it.each<[attack: string, rfc: string, changes: () => AssertionChanges]>([
      ["for the token endpoint", "RFC 9700 4.5, RFC 7523bis 4", () => audience("https://auth.example/oauth/token")],
      ["for us and another server", "RFC 7523bis 4", () => audience(["https://auth.example", "https://evil.example"])],
      ["for another server", "RFC 7523 3 (3)", () => audience("https://evil.example")],
      ["of another issuer", "RFC 7523 3 (1)", () => ({ claims: { iss: OTHER } })],
      ["about another client", "RFC 7523 3 (2)", () => ({ claims: { sub: OTHER } })],
      ["about no client", "RFC 7523 3 (2)", () => ({ claims: { sub: undefined } })],
      ["without exp", "RFC 7523 3 (4)", () => ({ claims: { exp: undefined } })],
      ["that has expired", "RFC 7523 3 (4)", () => ({ claims: { exp: nowS() - 31 } })],
      ["that is good for a year", "RFC 7523 3 (4)", () => ({ claims: { exp: nowS() + 31_536_000 } })],
      ["that isn't good yet", "RFC 7523 3 (5)", () => ({ claims: { nbf: nowS() + 60 } })],
      ["of the future", "RFC 7523 3 (6)", () => ({ claims: { iat: nowS() + 60 } })],
      ["without jti", "OIDC Core 9", () => ({ claims: { jti: undefined } })],
      ["with a kid of nobody", "RFC 7515 4.1.4", () => ({ header: { kid: "other" } })],
      ["with a kid that is a path", "RFC 8725 2.8", () => ({ header: { kid: "../../etc/passwd" } })],
      ["with a URL of keys", "RFC 8725 3.10", () => ({ header: { jku: "https://evil.example/jwks.json" } })],
      ["with a URL of certificates", "RFC 8725 3.10", () => ({ header: { x5u: "https://evil.example/x" } })],
      ["with a critical extension", "RFC 7515 4.1.11", () => ({ header: { crit: ["b64"], b64: true } })],
      ["that is an access token by its type", "RFC 8725 3.11", () => ({ header: { typ: "at+jwt" } })],
      ["that is a DPoP proof by its type", "RFC 8725 3.11", () => ({ header: { typ: "dpop+jwt" } })],
    ])("%s (%s)", async (_, __, changes) => {
      const answer = await application.refresh(refreshToken, await asserted(changes()));
      expect(answer).toMatchObject(INVALID_CLIENT);
      expect(answer.body["error_description"]).toMatch(/^[ !#-[\]-~]+$/);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    });

    it.each(["none", "HS256"])("with alg %s, even if the public key is its secret (RFC 8725 3.1)", async (alg) => {
      const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
      const id = application.client.uuid;
      const claims = { iss: id, sub: id, aud: "https://auth.example", jti: "j", exp: nowS() + 60 };
      const input = `${encode({ alg, kid: confidential.pair.publicJwk.kid })}.${encode(claims)}`;
      const secret = JSON.stringify(confidential.pair.publicJwk);
      const signature = alg === "none" ? "" : createHmac("sha256", secret).update(input).digest("base64url");
      const sent = { client_assertion: `${input}.${signature}`, client_assertion_type: JWT_BEARER };
      expect(await application.refresh(refreshToken, sent)).toMatchObject(INVALID_CLIENT);
    });

    it("by another key, which the header brings along (RFC 8725 3.10)", async () => {
      const { kid } = confidential.pair.publicJwk;
      const own = await clientKeyPair("ES256", kid);
      for (const header of [{}, { jwk: own.publicJwk }]) {
        const sent = await confidential.asserted({ header }, own);
        expect(await application.refresh(refreshToken, sent)).toMatchObject(INVALID_CLIENT);
      }
    });

    it("with another client_id than its own (RFC 7521 4.2)", async () => {
      const other = await confidentialApplication(web());
      const named = { ...(await asserted()), client_id: other.application.client.uuid };
      expect(await application.refresh(refreshToken, named)).toMatchObject(INVALID_CLIENT);
      const foreign = { ...(await other.asserted()), client_id: application.client.uuid };
      expect(await application.refresh(refreshToken, foreign)).toMatchObject(INVALID_CLIENT);
      const own = { ...(await other.asserted()), client_id: other.application.client.uuid };
      expect(await application.refresh(refreshToken, own)).toMatchObject(INVALID_GRANT);
      const again = { ...(await other.asserted()), client_id: other.application.client.uuid };
      expect(await application.revoke(refreshToken, again)).toMatchObject(INVALID_GRANT);
    });

    it("of a client that is public or disabled (RFC 6749 5.2)", async () => {
      const definition = confidentialDefinition(confidential.pair);
      const security = { ...definition.security, tokenEndpointAuthMethod: "none" } as const;
      const unused = await web().application({ definition: { ...definition, security } });
      const disabled = await web().application({ definition, status: "disabled" });
      for (const { client } of [unused, disabled]) {
        const assertion = await signedAssertion(confidential.pair, client.uuid, web().service.time.now());
        const sent = { client_id: client.uuid, client_assertion: assertion, client_assertion_type: JWT_BEARER };
        expect(await application.refresh(refreshToken, sent)).toMatchObject(INVALID_CLIENT);
      }
    });

    it("in favour of a secret (RFC 6749 2.3.1)", async () => {
      const sent = { client_secret: "s", ...(await asserted()) };
      expect(await application.refresh(refreshToken, sent)).toMatchObject(INVALID_CLIENT);
      expect(await application.refresh(refreshToken, { client_secret: "s" })).toMatchObject(INVALID_CLIENT);
      const headers = { authorization: "Basic eDp5", "content-type": "application/x-www-form-urlencoded" };
      const basic = await application.post("/oauth/token", "grant_type=refresh_token", headers);
      expect(basic).toMatchObject(INVALID_CLIENT);
      expect(basic.headers.get("www-authenticate")).toMatch(/^Basic /);
    });

    it.each([
      ["without its type", "RFC 7521 4.2", { client_assertion_type: [] }, "invalid_client"],
      ["of another type", "RFC 7521 4.2", { client_assertion_type: "urn:x" }, "invalid_client"],
      ["twice", "RFC 6749 3.2", { client_assertion: ["a.b.c", "a.b.c"] }, "invalid_request"],
      ["that is no JWT", "RFC 7519 7.2", { client_assertion: "secret" }, "invalid_client"],
    ])("%s (%s)", async (_, __, changes, error) => {
      const sent = { ...(await asserted()), ...changes };
      expect(await application.refresh(refreshToken, sent)).toMatchObject({ error });
    });

    it("above every bound, though the key has signed it", async () => {
      const sent = await asserted({ claims: { more: "a".repeat(4_096) } });
      expect(await application.refresh(refreshToken, sent)).toMatchObject(INVALID_CLIENT);
    });

    it("and the refresh token isn't used up by any of this", async () => {
      tokensIn(await application.refresh(refreshToken, await asserted()));
    });
  });

  it("works once, at whichever endpoint (RFC 7523 3 (7))", async () => {
    const { refreshToken, accessToken } = await tokens();
    const once = await asserted();
    expect(await application.refresh("guessed", once)).toMatchObject(INVALID_GRANT);
    expect(await application.refresh(refreshToken, once)).toMatchObject(INVALID_CLIENT);
    expect(await application.revoke(refreshToken, once)).toMatchObject(INVALID_CLIENT);
    expect(await confidential.introspect(accessToken, once)).toMatchObject(INVALID_CLIENT);
    const { jti, ...others } = { jti: "the same", exp: nowS() + 60 };
    expect((await confidential.introspect(accessToken, await asserted({ claims: { jti } }))).status).toBe(200);
    const again = await asserted({ claims: { jti, ...others, iat: nowS() - 1 } });
    expect(await confidential.introspect(accessToken, again)).toMatchObject(INVALID_CLIENT);
  });

  it("works once in all processes, until it has expired for all of them (RFC 7523 3 (7))", async () => {
    const { service } = web();
    const expiresAtMs = service.time.now() + 60_000n;
    const use = {
      purpose: "client_assertion",
      owner: application.client.uuid,
      jwtId: "elsewhere",
      expiresAtMs,
    } as const;
    // Another connection, as another process has one.
    expect(await new UsedJwtIds(service.database).use(use)).toBe(true);
    const { accessToken } = await tokens();
    const replayed = await asserted({ claims: { jti: use.jwtId } });
    expect(await confidential.introspect(accessToken, replayed)).toMatchObject(INVALID_CLIENT);
    await deleteExpiredRows(service.database, [expiredJwtIds(service.time.now())], new AbortController().signal);
    expect(await confidential.introspect(accessToken, replayed)).toMatchObject(INVALID_CLIENT);
  });

  it(`works once in ${AT_ONCE} concurrent requests (RFC 7523 3 (7))`, async () => {
    const { accessToken } = await tokens();
    const once = await asserted();
    const requests = Array.from({ length: AT_ONCE }, () => confidential.introspect(accessToken, once));
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: AT_ONCE - 1 }, () => 401)]);
  });

  it("of one of two keys counts until that key is removed (OIDC Core 10.1.1)", async () => {
    const rotating = await confidentialApplication(web());
    const next = await clientKeyPair("Ed25519");
    const byNext = () => rotating.asserted({ header: { alg: "EdDSA" } }, next);
    const { clientUuid, refresh } = {
      clientUuid: rotating.application.client.uuid,
      refresh: async (sent: Readonly<Record<string, string>>) => rotating.application.refresh("guessed", sent),
    };
    expect(await refresh(await byNext())).toMatchObject(INVALID_CLIENT);
    await changeKeys(web(), clientUuid, confidentialDefinition(rotating.pair, next));
    for (const sent of [await byNext(), await rotating.asserted()])
      expect(await refresh(sent)).toMatchObject(INVALID_GRANT);
    await changeKeys(web(), clientUuid, confidentialDefinition(next));
    expect(await refresh(await rotating.asserted())).toMatchObject(INVALID_CLIENT);
    expect(await refresh(await byNext())).toMatchObject(INVALID_GRANT);
  });

  it("is demanded at once of tokens that a public client got before (RFC 6749 6)", async () => {
    const hardened = await web().application();
    const { refreshToken } = await hardened.tokens(user.browser);
    const pending = await hardened.code(user.browser);
    const pair = await clientKeyPair();
    await changeKeys(web(), hardened.client.uuid, confidentialDefinition(pair));
    expect(await hardened.refresh(refreshToken)).toMatchObject(INVALID_CLIENT);
    expect(await hardened.exchange(pending)).toMatchObject(INVALID_CLIENT);
    const assertion = await signedAssertion(pair, hardened.client.uuid, web().service.time.now());
    const sent = { client_assertion: assertion, client_assertion_type: JWT_BEARER };
    expect(await hardened.refresh(refreshToken, sent)).toMatchObject(OK);
  });

  it("can't be sent at the paths for existing clients, which refuse a confidential client", async () => {
    const code = await application.code(user.browser);
    const { refreshToken } = await tokens();
    const refused = { status: 400, body: { code: "invalid_argument", details: { error: "invalid_client" } } };
    const post = async (path: string, body: object) =>
      application.post(path, JSON.stringify({ ...body, ...(await asserted()) }), {
        "content-type": "application/json",
      });
    const { codeVerifier: code_verifier, redirectUri: redirect_uri } = application;
    const exchange = { code, code_verifier, redirect_uri };
    expect(await post("/oauth.ExchangeAuthorizationCodeV2", exchange)).toMatchObject(refused);
    expect(await post("/oauth.RefreshAccessToken", { refresh_token: refreshToken })).toMatchObject(refused);
    expect(await application.exchange(code, await asserted())).toMatchObject(OK);
    expect(await application.refresh(refreshToken, await asserted())).toMatchObject(OK);
  });
});

const audience = (aud: unknown): AssertionChanges => ({ claims: { aud } });

/** Changes the definition of a client as an operator does. */
async function changeKeys(
  { service }: AuthWeb,
  clientUuid: string,
  definition: ReturnType<typeof confidentialDefinition>,
): Promise<void> {
  const { client } = await service.clients.getClient({ clientUuid });
  const expectedVersion = client?.version ?? 0n;
  await service.clients.updateClient({ clientUuid, definition: definitionInit(definition), expectedVersion });
}
