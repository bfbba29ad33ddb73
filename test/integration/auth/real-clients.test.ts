import { randomUUID } from "node:crypto";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { beforeAll, expect, it } from "vitest";
import { clientKeyPair } from "../../../services/auth/testing/assertions.ts";
import { REDIRECT_URI } from "../../support/applications/fit-client.ts";
import {
  ALL,
  authorizationUrl,
  codeOf,
  discovered,
  expectUnforgedLog,
  expectUnlogged,
  INSECURE,
  newClient,
  newEmail,
  openidConfig,
  REQUIRED,
  signIn,
  signInAndAllow,
  verifierFor,
} from "../../support/applications/real-clients.ts";
import { type AuthDeployment, startAuthDeployment } from "../../support/processes/auth-deployment.ts";
import { describeService } from "../../support/processes/describe-service.ts";

/** The scope that Auth.js (@auth/core 0.41.3) asks of every provider with the type `oidc`. */
const AUTH_JS_SCOPE = "openid profile email";
/** Names the client as Auth.js does where its configuration doesn't say how. @param secret text of a secret that isn't set: `undefined` */
const authJsBasic =
  (secret: string): oauth.ClientAuth =>
  (_, { client_id: clientId }, __, headers) => {
    const encoded = [clientId, secret].map((text) => encodeURIComponent(text).replace(/%20/g, "+"));
    headers.set("authorization", `Basic ${btoa(encoded.join(":"))}`);
  };

const HOSTILE_AGENT = 'Evil/1.0 \u009b31m {"level":"fatal","msg":"forged"} Mozilla/5.0 (Windows NT 10.0) Firefox/140.0';

describeService("real clients", startAuthDeployment, (deployment) => {
  let clientId: string;
  beforeAll(async () => {
    clientId = await newClient(deployment());
  });

  it("oauth4webapi uses discovery and completes the whole flow", async () => {
    const { server, client } = await discovered(deployment(), clientId);
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const url = await authorizationUrl(server, client, { verifier: verifierText, state, scope: ALL });
    const browser = deployment().browser();
    const email = newEmail();
    const callback = await signInAndAllow(deployment(), browser, url, email);
    const parameters = oauth.validateAuthResponse(server, client, callback, state);
    const exchange = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      REDIRECT_URI,
      verifierText,
      INSECURE,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchange);
    expect(tokens).toMatchObject({ token_type: "bearer", scope: ALL, expires_in: 900 });

    const request = new Request("https://api.example", { headers: { authorization: `Bearer ${tokens.access_token}` } });
    const claims = await oauth.validateJwtAccessToken(server, request, deployment().issuer, INSECURE);
    expect(claims).toMatchObject({ client_id: clientId, scope: ALL });
    const verified = await verifierFor(deployment(), clientId).verify(`Bearer ${tokens.access_token}`, ALL.split(" "));
    expect(verified).toMatchObject({ subject: claims.sub, clientUuid: clientId });

    const userInfo = async (accessToken: string) =>
      oauth.processUserInfoResponse(
        server,
        client,
        claims.sub,
        await oauth.userInfoRequest(server, client, accessToken, INSECURE),
      );
    expect(await userInfo(tokens.access_token)).toEqual({ sub: claims.sub, email, email_verified: true });

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? "", INSECURE),
    );
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect(await userInfo(refreshed.access_token)).toEqual({ sub: claims.sub, email, email_verified: true });

    const revocation = { ...INSECURE, additionalParameters: { token_type_hint: "refresh_token" } };
    const revoked = oauth.revocationRequest(server, client, oauth.None(), refreshed.refresh_token ?? "", revocation);
    await oauth.processRevocationResponse(await revoked);
    for (const accessToken of [tokens.access_token, refreshed.access_token]) {
      await expect(userInfo(accessToken)).rejects.toThrow(oauth.WWWAuthenticateChallengeError);
    }
    expectUnlogged(deployment(), [
      email,
      verifierText,
      tokens.access_token,
      refreshed.refresh_token ?? "",
      codeOf(callback),
    ]);
  });

  it("oauth4webapi refuses a response of another issuer (RFC 9207 section 2.4)", async () => {
    const { server, client } = await discovered(deployment(), clientId);
    const state = oauth.generateRandomState();
    const url = await authorizationUrl(server, client, { verifier: oauth.generateRandomCodeVerifier(), state });
    const callback = await signInAndAllow(deployment(), deployment().browser(), url, newEmail());
    expect(oauth.validateAuthResponse(server, client, callback, state).has("code")).toBe(true);
    const other = { ...server, issuer: "https://other.example" };
    expect(() => oauth.validateAuthResponse(other, client, callback, state)).toThrow(/"iss"/);
    callback.searchParams.delete("iss");
    expect(() => oauth.validateAuthResponse(server, client, callback, state)).toThrow(/"iss"/);
  });

  it("oauth4webapi gets the errors for a cancelled consent and for a malformed scope", async () => {
    const { server, client } = await discovered(deployment(), clientId);
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const browser = deployment().browser();
    const page = await signIn(
      deployment(),
      browser,
      await authorizationUrl(server, client, { verifier: verifierText, state }),
      newEmail(),
    );
    const denied = await browser.send(page, { action: "/oauth/consent", fields: { decision: "cancel" } });
    const bad = await authorizationUrl(server, client, { verifier: verifierText, state, scope: '"admin"' });
    const refused = await browser.open(bad.pathname + bad.search);
    for (const [answer, error] of [
      [denied, "access_denied"],
      [refused, "invalid_scope"],
    ] as const) {
      const validate = () => oauth.validateAuthResponse(server, client, new URL(answer.leftTo ?? ""), state);
      expect(validate).toThrow(oauth.AuthorizationResponseError);
      expect(validate).toThrow(expect.objectContaining({ error }));
    }
  });

  it("openid-client uses discovery and completes the whole flow without the optional scope", async () => {
    const config = await openidConfig(deployment(), clientId);
    expect(config.serverMetadata().supportsPKCE()).toBe(true);
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: ALL,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const callback = await signInAndAllow(deployment(), deployment().browser(), url, newEmail(), {
      isEmailShared: false,
    });
    const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    expect(tokens).toMatchObject({ token_type: "bearer", scope: REQUIRED });
    const { subject } = await verifierFor(deployment(), clientId).verify(
      `Bearer ${tokens.access_token}`,
      REQUIRED.split(" "),
    );
    expect(await openid.fetchUserInfo(config, tokens.access_token, subject)).toEqual({ sub: subject });
    const narrow = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "", { scope: "read_entities" });
    expect(narrow.scope).toBe("read_entities");
    await openid.tokenRevocation(config, narrow.refresh_token ?? "");
    await expect(openid.fetchUserInfo(config, narrow.access_token, subject)).rejects.toThrow();
    const late = openid.refreshTokenGrant(config, narrow.refresh_token ?? "");
    await expect(late).rejects.toMatchObject({ error: "invalid_grant" });
  });

  it("openid-client gets the errors for a code that was redeemed before and for a wrong verifier", async () => {
    const config = await openidConfig(deployment(), clientId);
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const callback = await signInAndAllow(deployment(), deployment().browser(), url, newEmail());
    const grant = (verifierText: string) =>
      openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifierText, expectedState });
    const invalid = { error: "invalid_grant", status: 400 };
    await expect(grant(openid.randomPKCECodeVerifier())).rejects.toMatchObject(invalid);
    await expect(grant(pkceCodeVerifier)).resolves.toBeDefined();
    await expect(grant(pkceCodeVerifier)).rejects.toMatchObject(invalid);
  });

  it("both libraries see at once that a user has taken the e-mail address back", async () => {
    const { server, client } = await discovered(deployment(), clientId);
    const config = await openidConfig(deployment(), clientId);
    const [verifierText, state] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const url = await authorizationUrl(server, client, { verifier: verifierText, state });
    const browser = deployment().browser();
    const email = newEmail();
    const callback = await signInAndAllow(deployment(), browser, url, email);
    const checks = { pkceCodeVerifier: verifierText, expectedState: state };
    const tokens = await openid.authorizationCodeGrant(config, callback, checks);
    const userInfo = (accessToken: string) => openid.fetchUserInfo(config, accessToken, openid.skipSubjectCheck);
    expect((await userInfo(tokens.access_token)).email).toBe(email);

    url.searchParams.set("prompt", "consent");
    const page = await browser.open(url.pathname + url.search);
    await browser.send(page, { action: "/oauth/consent", fields: { decision: "allow" } });
    expect(await userInfo(tokens.access_token)).toEqual({ sub: expect.any(String) });
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
    expect(refreshed.scope).toBe(REQUIRED);
    expect(await userInfo(refreshed.access_token)).toEqual({ sub: expect.any(String) });
    const again = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshed.refresh_token ?? "", INSECURE),
    );
    expect(again.scope).toBe(REQUIRED);

    await requireEmail(deployment(), clientId);
    const late = openid.refreshTokenGrant(config, again.refresh_token ?? "");
    await expect(late).rejects.toMatchObject({ error: "invalid_grant", status: 400 });
    const request = oauth.userInfoRequest(server, client, again.access_token, INSECURE);
    const answer = oauth.processUserInfoResponse(server, client, oauth.skipSubjectCheck, await request);
    const challenge = { scheme: "bearer", parameters: expect.objectContaining({ error: "insufficient_scope" }) };
    await expect(answer).rejects.toMatchObject({ status: 403, cause: [challenge] });
  });

  it("both libraries get invalid_client for a client that is unknown, disabled or sends a secret", async () => {
    const { server } = await discovered(deployment(), clientId);
    const disabled = await newClient(deployment());
    await deployment().auth.as("operator").clients.disableClient({ clientUuid: disabled });
    const refused = { error: "invalid_client", status: 401 };
    for (const unusable of [randomUUID(), disabled, "portal"]) {
      const client = { client_id: unusable };
      const refresh = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), "any", INSECURE);
      await expect(oauth.processRefreshTokenResponse(server, client, refresh)).rejects.toMatchObject(refused);
      const revocation = await oauth.revocationRequest(server, client, oauth.None(), "any", INSECURE);
      await expect(oauth.processRevocationResponse(revocation)).rejects.toMatchObject(refused);
      const config = await openidConfig(deployment(), unusable);
      await expect(openid.refreshTokenGrant(config, "any")).rejects.toMatchObject(refused);
      await expect(openid.tokenRevocation(config, "any")).rejects.toMatchObject(refused);
    }
    const client = { client_id: clientId };
    const post = await oauth.refreshTokenGrantRequest(server, client, oauth.ClientSecretPost("s"), "any", INSECURE);
    expect(post.headers.has("www-authenticate")).toBe(false);
    await expect(oauth.processRefreshTokenResponse(server, client, post)).rejects.toMatchObject(refused);
    const basic = await oauth.refreshTokenGrantRequest(server, client, oauth.ClientSecretBasic("s"), "any", INSECURE);
    const challenged = oauth.processRefreshTokenResponse(server, client, basic);
    await expect(challenged).rejects.toMatchObject({ status: 401, cause: [{ scheme: "basic" }] });
  });

  it("Auth.js signs in as a public client with its defaults, and is told what it got", async () => {
    const issuer = new URL(deployment().issuer);
    const discovery = await oauth.discoveryRequest(issuer, { algorithm: "oidc", ...INSECURE });
    const server = await oauth.processDiscoveryResponse(issuer, discovery);
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const client = { client_id: await newClient(deployment()) };
    const url = await authorizationUrl(server, client, { verifier: verifierText, state, scope: AUTH_JS_SCOPE });
    const callback = await signInAndAllow(deployment(), deployment().browser(), url, newEmail(), {
      isEmailShared: false,
    });
    const parameters = oauth.validateAuthResponse(server, client, callback, state);
    const exchange = (as: oauth.ClientAuth) =>
      oauth.authorizationCodeGrantRequest(server, client, as, parameters, REDIRECT_URI, verifierText, INSECURE);
    const refused = await exchange(authJsBasic("undefined"));
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Basic /)]);
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange(authJsBasic("")));
    expect(tokens.scope).toBe(`openid ${REQUIRED}`);
    const { sub = "" } = oauth.getValidatedIdTokenClaims(tokens) ?? {};
    const user = await oauth.userInfoRequest(server, client, tokens.access_token, INSECURE);
    expect(await oauth.processUserInfoResponse(server, client, sub, user)).toEqual({ sub });

    const again = { ...INSECURE, additionalParameters: { scope: AUTH_JS_SCOPE } };
    const token = tokens.refresh_token ?? "";
    const refresh = await oauth.refreshTokenGrantRequest(server, client, authJsBasic(""), token, again);
    const next = await oauth.processRefreshTokenResponse(server, client, refresh);
    expect(next.scope).toBe("openid");
    const revoke = (as: oauth.ClientAuth) =>
      oauth.revocationRequest(server, client, as, next.refresh_token ?? "", INSECURE);
    await oauth.processRevocationResponse(await revoke(authJsBasic("")));
    const late = await oauth.userInfoRequest(server, client, next.access_token, INSECURE);
    expect(late.status).toBe(401);
  });

  it("Auth.js can push its request, and a confidential client isn't taken for a public one by an empty secret", async () => {
    const { server } = await discovered(deployment(), clientId);
    const key = await clientKeyPair();
    const confidential = await newClient(deployment(), {
      tokenEndpointAuthMethod: "private_key_jwt",
      jwks: JSON.stringify({ keys: [key.publicJwk] }),
    });
    const push = async (clientUuid: string) => {
      const client = { client_id: clientUuid };
      const url = await authorizationUrl(server, client, {
        verifier: "v".repeat(43),
        state: "s",
        scope: AUTH_JS_SCOPE,
      });
      url.searchParams.delete("client_id");
      const basic = authJsBasic("");
      return oauth.pushedAuthorizationRequest(server, client, basic, url.searchParams, INSECURE);
    };
    expect((await push(clientId)).status).toBe(201);
    const client = { client_id: confidential };
    const sent = authJsBasic("");
    for (const answer of [
      await push(confidential),
      await oauth.refreshTokenGrantRequest(server, client, sent, "any", INSECURE),
      await oauth.revocationRequest(server, client, sent, "any", INSECURE),
      await oauth.introspectionRequest(server, client, sent, "any", INSECURE),
    ]) {
      expect([answer.status, await answer.json()]).toMatchObject([401, { error: "invalid_client" }]);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
    }
  });

  it("passport-oauth2 sends an empty secret in the form, as a public client", async () => {
    const { server, client } = await discovered(deployment(), await newClient(deployment()));
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const url = await authorizationUrl(server, client, {
      verifier: verifierText,
      state,
      scope: "openid  profile email ",
    });
    const callback = await signInAndAllow(deployment(), deployment().browser(), url, newEmail(), {
      isEmailShared: false,
    });
    // The form of passport-oauth2 1.8.0 with the option `pkce: true`, by its package oauth 0.10.2.
    const form = {
      grant_type: "authorization_code",
      redirect_uri: REDIRECT_URI,
      code_verifier: verifierText,
      client_id: client.client_id,
      client_secret: "",
      code: codeOf(callback),
    };
    const answer = await fetch(server.token_endpoint ?? "", { method: "POST", body: new URLSearchParams(form) });
    expect([answer.status, await answer.json()]).toMatchObject([200, { scope: `openid ${REQUIRED}` }]);
  });

  it("a client that sends no challenge method, no scope and no redirect URI, and uses JSON, works too", async () => {
    const { server, client } = await discovered(deployment(), clientId);
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const url = await authorizationUrl(server, client, { verifier: verifierText, state });
    for (const name of ["code_challenge_method", "redirect_uri", "scope"]) url.searchParams.delete(name);
    const browser = deployment().browser();
    const callback = await signInAndAllow(deployment(), browser, url, newEmail());
    const post = async (path: string, body: Readonly<Record<string, string>>) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(deployment().issuer + path, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    };
    const exchanged = await post("/oauth/token", {
      grant_type: "authorization_code",
      code: codeOf(callback),
      code_verifier: verifierText,
    });
    const tokens = JSON.parse(exchanged.text);
    expect([exchanged.status, tokens.scope]).toEqual([200, ALL]);
    const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: clientId };
    const refreshed = await post("/oauth/token", refresh);
    expect(refreshed.status).toBe(200);
    const { refresh_token: token } = JSON.parse(refreshed.text);
    expect(await post("/oauth/revoke", { token })).toEqual({ status: 200, text: "" });
    expect(JSON.parse((await post("/oauth/token", { ...refresh, refresh_token: token })).text)).toMatchObject({
      error: "invalid_grant",
    });
  });

  it("leave log lines that can't be forged and contain no secrets", async () => {
    const email = newEmail();
    const browser = deployment().browser();
    const headers = { "user-agent": HOSTILE_AGENT, "x-request-id": "a\u0085b" };
    const start = await browser.open("/sign-in", headers);
    await browser.send(start, {
      action: "/sign-in",
      fields: { email },
      headers: { ...headers, "sec-fetch-site": "same-origin" },
    });
    await browser.open(
      `/oauth/authorize?client_id=${encodeURIComponent('x\n{"level":"fatal","msg":"forged"}')}`,
      headers,
    );
    expect(deployment().smtp.mails.findLast(({ recipients }) => recipients.includes(email))?.raw).not.toMatch(
      /\u009b|Evil/,
    );
    expectUnlogged(deployment(), [
      email,
      deployment().mailedCode(email),
      deployment().mailedCode(email).replace("-", ""),
    ]);
    expectUnforgedLog(deployment());
  });
});

/** Makes the e-mail address a required scope. */
async function requireEmail({ auth }: AuthDeployment, clientUuid: string): Promise<void> {
  const { clients } = auth.as("operator");
  const { client } = await clients.getClient({ clientUuid });
  const { name = "", redirectUris = [], scopes = [] } = client?.definition ?? {};
  const definition = { name, redirectUris, scopes: scopes.map(({ scope }) => ({ scope, required: true })) };
  await clients.updateClient({ clientUuid, definition, expectedVersion: client?.version ?? 0n });
}
