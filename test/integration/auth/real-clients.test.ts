import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { PageBrowser } from "../../../gateway/testing/page-browser.ts";
import { Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type ClientKeyPair, clientKeyPair } from "../../../services/auth/testing/assertions.ts";
import { AccessTokenVerifier } from "../../../services/shared/jwt/access-token-verifier.ts";
import { urlJwks } from "../../../services/shared/jwt/jwks-source.ts";
import { type AuthDeployment, startAuthDeployment } from "../../support/auth-deployment.ts";
import { describeEachDatabase, type TestDatabase } from "../../support/databases.ts";
import { createFitClient, REDIRECT_URI } from "../../support/fit-client.ts";
import { codeBlocks, onlyCodeBlock } from "../../support/markdown.ts";
import { readRepository } from "../../support/repository.ts";
import { auction } from "../../support/sale-messages.ts";
import { runShell } from "../../support/shell.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SIGNED_OUT_URI = "https://app.example/signed-out";
const REQUIRED = "read_entities sale_eligibility_check";
const ALL = `${REQUIRED} contact_email`;
/** Allows http, because the issuer is on this machine. */
const INSECURE = { [oauth.allowInsecureRequests]: true };
/** Makes a function of a documented program. */
const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => {}).constructor;
const HOSTILE_AGENT = 'Evil/1.0 \u009b31m {"level":"fatal","msg":"forged"} Mozilla/5.0 (Windows NT 10.0) Firefox/140.0';

describeEachDatabase("real clients", ({ create }) => {
  let database: TestDatabase;
  let deployment: AuthDeployment;
  let clientId: string;
  beforeAll(async () => {
    database = await create();
    deployment = await startAuthDeployment(database);
    clientId = await newClient(deployment);
  });
  afterAll(async () => {
    await deployment?.stop();
    await database?.remove();
  });

  const verifier = () => {
    const { issuer } = deployment;
    const rules = { issuer, audience: issuer, issuedFor: { clientUuid: clientId }, tenancy: "live" } as const;
    return new AccessTokenVerifier({ jwks: urlJwks(`${issuer}/.well-known/jwks.json`), ...rules });
  };

  it("oauth4webapi uses discovery and completes the whole flow", async () => {
    const { server, client } = await discovered(deployment, clientId);
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const url = await authorizationUrl(server, client, { verifier: verifierText, state, scope: ALL });
    const browser = deployment.browser();
    const email = newEmail();
    const callback = await signInAndAllow(deployment, browser, url, email);
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
    const claims = await oauth.validateJwtAccessToken(server, request, deployment.issuer, INSECURE);
    expect(claims).toMatchObject({ client_id: clientId, scope: ALL });
    const verified = await verifier().verify(`Bearer ${tokens.access_token}`, ALL.split(" "));
    expect(verified).toMatchObject({ subject: claims.sub, clientUuid: clientId });

    const userInfo = async (accessToken: string) =>
      oauth.processUserInfoResponse(
        server,
        client,
        claims.sub,
        await oauth.userInfoRequest(server, client, accessToken, INSECURE),
      );
    expect(await userInfo(tokens.access_token)).toEqual({ sub: claims.sub, email });

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? "", INSECURE),
    );
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect(await userInfo(refreshed.access_token)).toEqual({ sub: claims.sub, email });

    const revocation = { ...INSECURE, additionalParameters: { token_type_hint: "refresh_token" } };
    const revoked = oauth.revocationRequest(server, client, oauth.None(), refreshed.refresh_token ?? "", revocation);
    await oauth.processRevocationResponse(await revoked);
    for (const accessToken of [tokens.access_token, refreshed.access_token]) {
      await expect(userInfo(accessToken)).rejects.toThrow(oauth.WWWAuthenticateChallengeError);
    }
    expectUnlogged(deployment, [
      email,
      verifierText,
      tokens.access_token,
      refreshed.refresh_token ?? "",
      codeOf(callback),
    ]);
  });

  it("oauth4webapi refuses a response of another issuer (RFC 9207 section 2.4)", async () => {
    const { server, client } = await discovered(deployment, clientId);
    const state = oauth.generateRandomState();
    const url = await authorizationUrl(server, client, { verifier: oauth.generateRandomCodeVerifier(), state });
    const callback = await signInAndAllow(deployment, deployment.browser(), url, newEmail());
    expect(oauth.validateAuthResponse(server, client, callback, state).has("code")).toBe(true);
    const other = { ...server, issuer: "https://other.example" };
    expect(() => oauth.validateAuthResponse(other, client, callback, state)).toThrow(/"iss"/);
    callback.searchParams.delete("iss");
    expect(() => oauth.validateAuthResponse(server, client, callback, state)).toThrow(/"iss"/);
  });

  it("oauth4webapi gets the errors for a cancelled consent and for an unknown scope", async () => {
    const { server, client } = await discovered(deployment, clientId);
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const browser = deployment.browser();
    const page = await signIn(
      deployment,
      browser,
      await authorizationUrl(server, client, { verifier: verifierText, state }),
      newEmail(),
    );
    const denied = await browser.send(page, { action: "/oauth/consent", fields: { decision: "cancel" } });
    const bad = await authorizationUrl(server, client, { verifier: verifierText, state, scope: "admin" });
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
    const config = await openidConfig(deployment, clientId);
    expect(config.serverMetadata().supportsPKCE()).toBe(true);
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: ALL,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const callback = await signInAndAllow(deployment, deployment.browser(), url, newEmail(), { isEmailShared: false });
    const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    expect(tokens).toMatchObject({ token_type: "bearer", scope: REQUIRED });
    const { subject } = await verifier().verify(`Bearer ${tokens.access_token}`, REQUIRED.split(" "));
    expect(await openid.fetchUserInfo(config, tokens.access_token, subject)).toEqual({ sub: subject });
    const narrow = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "", { scope: "read_entities" });
    expect(narrow.scope).toBe("read_entities");
    await openid.tokenRevocation(config, narrow.refresh_token ?? "");
    await expect(openid.fetchUserInfo(config, narrow.access_token, subject)).rejects.toThrow();
    const late = openid.refreshTokenGrant(config, narrow.refresh_token ?? "");
    await expect(late).rejects.toMatchObject({ error: "invalid_grant" });
  });

  it("openid-client gets the errors for a code that was redeemed before and for a wrong verifier", async () => {
    const config = await openidConfig(deployment, clientId);
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const callback = await signInAndAllow(deployment, deployment.browser(), url, newEmail());
    const grant = (verifierText: string) =>
      openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifierText, expectedState });
    const invalid = { error: "invalid_grant", status: 400 };
    await expect(grant(openid.randomPKCECodeVerifier())).rejects.toMatchObject(invalid);
    await expect(grant(pkceCodeVerifier)).resolves.toBeDefined();
    await expect(grant(pkceCodeVerifier)).rejects.toMatchObject(invalid);
  });

  it("oauth4webapi authenticates with private_key_jwt, pushes its request, and introspects", async () => {
    const pair = await clientKeyPair("PS256");
    const confidentialId = await newClient(deployment, jwksOf(pair));
    const { server, client } = await discovered(deployment, confidentialId);
    const authentication = oauth.PrivateKeyJwt({ key: pair.privateKey, kid: pair.publicJwk.kid });
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const url = await authorizationUrl(server, client, { verifier: verifierText, state });
    const push = await oauth.pushedAuthorizationRequest(server, client, authentication, url.searchParams, INSECURE);
    const { request_uri: pushed } = await oauth.processPushedAuthorizationResponse(server, client, push);
    url.search = new URLSearchParams({ client_id: confidentialId, request_uri: pushed }).toString();
    const callback = await signInAndAllow(deployment, deployment.browser(), url, newEmail());
    const parameters = oauth.validateAuthResponse(server, client, callback, state);
    const exchangeBy = (by: oauth.ClientAuth) =>
      oauth.authorizationCodeGrantRequest(server, client, by, parameters, REDIRECT_URI, verifierText, INSECURE);
    const refused = oauth.processAuthorizationCodeResponse(server, client, await exchangeBy(oauth.None()));
    await expect(refused).rejects.toMatchObject({ error: "invalid_client", status: 401 });
    const exchange = await exchangeBy(authentication);
    const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, exchange);

    const introspect = async (text: string) =>
      oauth.processIntrospectionResponse(
        server,
        client,
        await oauth.introspectionRequest(server, client, authentication, text, INSECURE),
      );
    const active = {
      active: true,
      client_id: confidentialId,
      scope: ALL,
      token_type: "Bearer",
      iss: deployment.issuer,
    };
    expect(await introspect(token)).toMatchObject(active);
    expect(await introspect("guessed")).toEqual({ active: false });
    const revocation = await oauth.revocationRequest(server, client, authentication, token, INSECURE);
    await oauth.processRevocationResponse(revocation);
    expect(await introspect(token)).toEqual({ active: false });
    expectUnlogged(deployment, [token, verifierText]);
  });

  it.each(["ES256", "Ed25519"])("openid-client authenticates with private_key_jwt and %s", async (algorithm) => {
    const pair = await clientKeyPair(algorithm);
    const authentication = openid.PrivateKeyJwt({ key: pair.privateKey, kid: pair.publicJwk.kid });
    const config = await openidConfig(deployment, await newClient(deployment, jwksOf(pair)), authentication);
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const url = await openid.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: REDIRECT_URI,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const callback = await signInAndAllow(deployment, deployment.browser(), url, newEmail());
    const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
    const introspect = (token: string) => openid.tokenIntrospection(config, token);
    expect(await introspect(refreshed.access_token)).toMatchObject({ active: true, scope: ALL });
    expect(await introspect(refreshed.refresh_token ?? "")).toMatchObject({ active: true, scope: ALL });
    await openid.tokenRevocation(config, refreshed.access_token);
    expect(await introspect(refreshed.refresh_token ?? "")).toEqual({ active: false });
  });

  it("openid-client authenticates as docs/confidential-applications.md shows, with keys made by its command", async () => {
    const page = readRepository("docs/confidential-applications.md");
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    await runShell(onlyCodeBlock(page, "sh"), folder.path);
    const jwks = await readFile(join(folder.path, "public-keys.json"), "utf8");
    const privateKey = await readFile(join(folder.path, "private-key.json"), "utf8");
    const program = onlyCodeBlock(page, "js")
      .replace("https://sign-in.example", deployment.issuer)
      .replace("22222222-2222-4222-8222-222222222222", await newClient(deployment, jwks))
      .replace('{ algorithm: "oauth2" }', '{ algorithm: "oauth2", execute: [client.allowInsecureRequests] }')
      .replace('readFileSync("private-key.json", "utf8")', "process.env.PRIVATE_KEY");
    const ask = `console.log(JSON.stringify(await client.tokenIntrospection(config, "guessed")));`;
    const script = `PRIVATE_KEY='${privateKey}' node --input-type=module --eval '${program + ask}'`;
    expect(JSON.parse(await runShell(script))).toEqual({ active: false });
    await expect(newClient(deployment, JSON.stringify({ keys: [JSON.parse(privateKey)] }))).rejects.toThrow("private");
  });

  it("oauth4webapi pushes its request, and the client demands that from then on (RFC 9126)", async () => {
    const pushing = await newClient(deployment);
    await demandPushedRequests(deployment, pushing);
    const { server, client } = await discovered(deployment, pushing);
    expect(server).toMatchObject({
      pushed_authorization_request_endpoint: `${deployment.issuer}/oauth/par`,
      require_pushed_authorization_requests: false,
    });
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const plain = await authorizationUrl(server, client, { verifier: verifierText, state, scope: ALL });
    const push = await oauth.pushedAuthorizationRequest(server, client, oauth.None(), plain.searchParams, INSECURE);
    const { request_uri: requestUri } = await oauth.processPushedAuthorizationResponse(server, client, push);
    const url = new URL(server.authorization_endpoint ?? "");
    url.search = new URLSearchParams({ client_id: pushing, request_uri: requestUri }).toString();
    const browser = deployment.browser();
    const callback = await signInAndAllow(deployment, browser, url, newEmail());
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
    expect(tokens.scope).toBe(ALL);
    const { leftTo = "" } = await browser.open(plain.pathname + plain.search);
    expect(() => oauth.validateAuthResponse(server, client, new URL(leftTo), state)).toThrow(
      expect.objectContaining({ error: "invalid_request" }),
    );
    const wrong = new URLSearchParams({ ...Object.fromEntries(plain.searchParams), scope: "admin" });
    const refused = await oauth.pushedAuthorizationRequest(server, client, oauth.None(), wrong, INSECURE);
    await expect(oauth.processPushedAuthorizationResponse(server, client, refused)).rejects.toMatchObject({
      error: "invalid_scope",
      status: 400,
    });
    expectUnlogged(deployment, [requestUri]);
  });

  it("openid-client pushes its request (RFC 9126)", async () => {
    const config = await openidConfig(deployment, clientId);
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const url = await openid.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: REDIRECT_URI,
      scope: REQUIRED,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    expect(url.searchParams.has("code_challenge")).toBe(false);
    const callback = await signInAndAllow(deployment, deployment.browser(), url, newEmail(), { isEmailShared: false });
    const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    expect(tokens.scope).toBe(REQUIRED);
  });

  it.each(["RS256", "ES256"])(
    "openid-client finds all by its default discovery, and signs in and out: %s",
    async (alg) => {
      const own = await newSigningClient(deployment, alg);
      const execute = [openid.allowInsecureRequests];
      const config = await openid.discovery(new URL(deployment.issuer), own, undefined, openid.None(), { execute });
      const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
      const expectedNonce = openid.randomNonce();
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT_URI,
        scope: "openid",
        state: expectedState,
        nonce: expectedNonce,
        max_age: "60",
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
      });
      const browser = deployment.browser();
      const callback = await signInAndAllow(deployment, browser, url, newEmail(), { isEmailShared: false });
      const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 60, idTokenExpected: true };
      const tokens = await openid.authorizationCodeGrant(config, callback, checks);
      const { sub = "", ...claims } = tokens.claims() ?? { sub: "" };
      expect(tokens.scope).toBe(`openid ${REQUIRED}`);
      expect(claims).toMatchObject({ acr: "urn:tidemark:email-code", amr: ["otp"] });
      expect(decodeProtectedHeader(tokens.id_token ?? "").alg).toBe(alg);
      const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri ?? ""));
      await jwtVerify(tokens.id_token ?? "", keys, { issuer: deployment.issuer, audience: own });
      expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toEqual({ sub });
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
      expect(refreshed.claims()).toMatchObject({ sub, auth_time: tokens.claims()?.auth_time });
      expect(refreshed.claims()).not.toHaveProperty("nonce");

      const out = openid.buildEndSessionUrl(config, {
        id_token_hint: refreshed.id_token ?? "",
        post_logout_redirect_uri: SIGNED_OUT_URI,
        state: expectedState,
      });
      const page = await browser.open(out.pathname + out.search);
      const fields = { end_client_tokens: "yes" };
      const answer = await browser.send(page, { action: "/oauth/logout/confirm", fields });
      expect(answer.leftTo).toBe(`${SIGNED_OUT_URI}?state=${expectedState}`);
      await expect(openid.fetchUserInfo(config, refreshed.access_token, sub)).rejects.toThrow();
      url.searchParams.set("prompt", "none");
      const { leftTo = "" } = await browser.open(url.pathname + url.search);
      expect(new URL(leftTo).searchParams.get("error")).toBe("login_required");
      expectUnlogged(deployment, [tokens.id_token ?? "", refreshed.id_token ?? "", expectedNonce]);
    },
  );

  it("oauth4webapi finds all by OpenID discovery, and verifies the ID token", async () => {
    const issuer = new URL(deployment.issuer);
    const discovery = await oauth.discoveryRequest(issuer, { algorithm: "oidc", ...INSECURE });
    const server = await oauth.processDiscoveryResponse(issuer, discovery);
    const client = { client_id: clientId };
    const [verifierText, state, nonce] = [
      oauth.generateRandomCodeVerifier(),
      oauth.generateRandomState(),
      oauth.generateRandomNonce(),
    ];
    const url = await authorizationUrl(server, client, { verifier: verifierText, state, scope: `openid ${ALL}` });
    url.searchParams.set("nonce", nonce);
    const email = newEmail();
    const callback = await signInAndAllow(deployment, deployment.browser(), url, email);
    const exchange = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      oauth.validateAuthResponse(server, client, callback, state),
      REDIRECT_URI,
      verifierText,
      INSECURE,
    );
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchange, expected);
    await oauth.validateApplicationLevelSignature(server, exchange, INSECURE);
    const { sub = "" } = oauth.getValidatedIdTokenClaims(tokens) ?? {};
    const request = await oauth.userInfoRequest(server, client, tokens.access_token, INSECURE);
    expect(await oauth.processUserInfoResponse(server, client, sub, request)).toEqual({ sub, email });
    const refresh = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      tokens.refresh_token ?? "",
      INSECURE,
    );
    const refreshed = await oauth.processRefreshTokenResponse(server, client, refresh);
    await oauth.validateApplicationLevelSignature(server, refresh, INSECURE);
    expect(oauth.getValidatedIdTokenClaims(refreshed)?.sub).toBe(sub);
  });

  it("openid-client proves its key from the pushed request to userinfo, answering every challenge for a nonce (RFC 9449)", async () => {
    const strictId = await newClient(deployment, undefined, { dpopBoundAccessTokens: true });
    const config = await openidConfig(deployment, strictId);
    expect(config.serverMetadata().dpop_signing_alg_values_supported).toContain("ES256");
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const request = {
      redirect_uri: REDIRECT_URI,
      scope: ALL,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    };
    const url = await openid.buildAuthorizationUrlWithPAR(config, request, { DPoP });
    const browser = deployment.browser();
    const callback = await signInAndAllow(deployment, browser, url, newEmail());
    const checks = { pkceCodeVerifier, expectedState };
    const unproved = openid.authorizationCodeGrant(config, callback, checks);
    await expect(unproved).rejects.toMatchObject({ error: "invalid_grant" });
    const tokens = await openid.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
    expect(tokens).toMatchObject({ token_type: "dpop", scope: ALL });
    const { sub } = await openid.fetchUserInfo(config, tokens.access_token, openid.skipSubjectCheck, { DPoP });
    const stolen = openid.fetchUserInfo(config, tokens.access_token, sub);
    await expect(stolen).rejects.toMatchObject({ cause: [{ scheme: "dpop", parameters: { error: "invalid_token" } }] });
    const refresh = (options?: openid.DPoPOptions) =>
      openid.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, options);
    await expect(refresh()).rejects.toMatchObject({ error: "invalid_grant" });
    const other = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
    await expect(refresh({ DPoP: other })).rejects.toMatchObject({ error: "invalid_grant" });
    const later = await refresh({ DPoP });
    expect(later.token_type).toBe("dpop");
    await expect(verifier().verify(`Bearer ${later.access_token}`, [])).rejects.toMatchObject({
      code: "unauthenticated",
    });
    expect(await openid.fetchUserInfo(config, later.access_token, sub, { DPoP })).toMatchObject({ sub });

    const again = openid.buildAuthorizationUrl(config, request);
    const { leftTo = "" } = await browser.open(again.pathname + again.search);
    const [program = "", call = ""] = codeBlocks(readRepository("docs/dpop.md"), "js").map(({ code }) => code);
    const names = ["client", "config", "callback", "pkceCodeVerifier", "expectedState"];
    const run = new AsyncFunction(...names, `${program}; return { tokens, user, later, DPoP };`);
    const shown = await run(openid, config, new URL(leftTo), pkceCodeVerifier, expectedState);
    expect(shown).toMatchObject({ tokens: { token_type: "dpop" }, user: { sub }, later: { token_type: "dpop" } });
    // This deployment has no entities service; it answers the call at userinfo's path.
    const asked = call.replace(/https:[^"]*/, `${deployment.issuer}/oauth/userinfo`);
    const runCall = new AsyncFunction("client", "config", "later", "DPoP", `${asked}; return answer.json();`);
    expect(await runCall(openid, config, shown.later, shown.DPoP)).toMatchObject({ sub });
  });

  it("both libraries see at once that a user has taken the e-mail address back", async () => {
    const { server, client } = await discovered(deployment, clientId);
    const config = await openidConfig(deployment, clientId);
    const [verifierText, state] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const url = await authorizationUrl(server, client, { verifier: verifierText, state });
    const browser = deployment.browser();
    const email = newEmail();
    const callback = await signInAndAllow(deployment, browser, url, email);
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

    await requireEmail(deployment, clientId);
    const late = openid.refreshTokenGrant(config, again.refresh_token ?? "");
    await expect(late).rejects.toMatchObject({ error: "invalid_grant", status: 400 });
    const request = oauth.userInfoRequest(server, client, again.access_token, INSECURE);
    const answer = oauth.processUserInfoResponse(server, client, oauth.skipSubjectCheck, await request);
    const challenge = { scheme: "bearer", parameters: expect.objectContaining({ error: "insufficient_scope" }) };
    await expect(answer).rejects.toMatchObject({ status: 403, cause: [challenge] });
  });

  it("both libraries get invalid_client for a client that is unknown, disabled or sends a secret", async () => {
    const { server } = await discovered(deployment, clientId);
    const disabled = await newClient(deployment);
    await deployment.auth.as("operator").clients.disableClient({ clientUuid: disabled });
    const refused = { error: "invalid_client", status: 401 };
    for (const unusable of [randomUUID(), disabled, "portal"]) {
      const client = { client_id: unusable };
      const refresh = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), "any", INSECURE);
      await expect(oauth.processRefreshTokenResponse(server, client, refresh)).rejects.toMatchObject(refused);
      const revocation = await oauth.revocationRequest(server, client, oauth.None(), "any", INSECURE);
      await expect(oauth.processRevocationResponse(revocation)).rejects.toMatchObject(refused);
      const config = await openidConfig(deployment, unusable);
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

  it("a client that sends no challenge method, no scope and no redirect URI, and uses JSON, works too", async () => {
    const { server, client } = await discovered(deployment, clientId);
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const url = await authorizationUrl(server, client, { verifier: verifierText, state });
    for (const name of ["code_challenge_method", "redirect_uri", "scope"]) url.searchParams.delete(name);
    const browser = deployment.browser();
    const callback = await signInAndAllow(deployment, browser, url, newEmail());
    const post = async (path: string, body: Readonly<Record<string, string>>) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(deployment.issuer + path, { method: "POST", headers, body: JSON.stringify(body) });
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
    const browser = deployment.browser();
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
    expect(deployment.smtp.mails.findLast(({ recipients }) => recipients.includes(email))?.raw).not.toMatch(
      /\u009b|Evil/,
    );
    expectUnlogged(deployment, [email, deployment.mailedCode(email), deployment.mailedCode(email).replace("-", "")]);
    for (const line of deployment.output().split("\n")) {
      expect(JSON.parse(line)).toMatchObject({ level: expect.not.stringMatching(/fatal/) });
    }
  });
});

/** @param jwks the public keys of a confidential client; absent for a public one */
async function newClient(
  { auth, commitments }: AuthDeployment,
  jwks?: string,
  demands?: { readonly dpopBoundAccessTokens: boolean },
): Promise<string> {
  const { sale } = await commitments.sales.createSale({ tenancy: Tenancy.LIVE, definition: auction() });
  const method = {
    tokenEndpointAuthMethod: jwks === undefined ? "none" : "private_key_jwt",
    idTokenSignedResponseAlg: "RS256",
  };
  const security = { ...method, ...(jwks !== undefined && { jwks }), ...demands };
  const options = jwks === undefined && demands === undefined ? {} : { security };
  return createFitClient(auth.as("operator"), sale?.uuid ?? "", options);
}

/** Creates a client that wants ID tokens signed with an algorithm, and returns to `SIGNED_OUT_URI`. */
async function newSigningClient({ auth, commitments }: AuthDeployment, alg: string): Promise<string> {
  const { sale } = await commitments.sales.createSale({ tenancy: Tenancy.LIVE, definition: auction() });
  const security = { idTokenSignedResponseAlg: alg, postLogoutRedirectUris: [SIGNED_OUT_URI] };
  const own = { security: { ...security, tokenEndpointAuthMethod: "none" } };
  return createFitClient(auth.as("operator"), sale?.uuid ?? "", own);
}

function jwksOf({ publicJwk }: ClientKeyPair): string {
  return JSON.stringify({ keys: [publicJwk] });
}

/** Makes the e-mail address a required scope. */
async function requireEmail({ auth }: AuthDeployment, clientUuid: string): Promise<void> {
  const { clients } = auth.as("operator");
  const { client } = await clients.getClient({ clientUuid });
  const { name = "", redirectUris = [], scopes = [] } = client?.definition ?? {};
  const definition = { name, redirectUris, scopes: scopes.map(({ scope }) => ({ scope, required: true })) };
  await clients.updateClient({ clientUuid, definition, expectedVersion: client?.version ?? 0n });
}

async function demandPushedRequests({ auth }: AuthDeployment, clientUuid: string): Promise<void> {
  const { clients } = auth.as("operator");
  const { client } = await clients.getClient({ clientUuid });
  const { name = "", redirectUris = [], scopes = [] } = client?.definition ?? {};
  const definition = {
    name,
    redirectUris,
    scopes,
    security: { requirePushedAuthorizationRequests: true },
  };
  await clients.updateClient({ clientUuid, definition, expectedVersion: client?.version ?? 0n });
}

async function discovered({ issuer }: AuthDeployment, clientId: string) {
  const url = new URL(issuer);
  const answer = await oauth.discoveryRequest(url, { algorithm: "oauth2", ...INSECURE });
  return { server: await oauth.processDiscoveryResponse(url, answer), client: { client_id: clientId } };
}

function openidConfig(
  { issuer }: AuthDeployment,
  clientId: string,
  authentication = openid.None(),
): Promise<openid.Configuration> {
  const options = { algorithm: "oauth2" as const, execute: [openid.allowInsecureRequests] };
  return openid.discovery(new URL(issuer), clientId, undefined, authentication, options);
}

async function authorizationUrl(
  { authorization_endpoint: endpoint = "" }: oauth.AuthorizationServer,
  { client_id: clientId }: oauth.Client,
  { verifier, state, scope }: { readonly verifier: string; readonly state: string; readonly scope?: string },
): Promise<URL> {
  const url = new URL(endpoint);
  url.search = new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(scope !== undefined && { scope }),
  }).toString();
  return url;
}

/** @returns the consent page. */
async function signIn(deployment: AuthDeployment, browser: PageBrowser, url: URL, email: string) {
  expect(url.origin).toBe(deployment.issuer);
  const start = await browser.open(url.pathname + url.search);
  const code = await browser.send(start, { action: "/sign-in", fields: { email } });
  return browser.send(code, { action: "/sign-in/code", fields: { code: deployment.mailedCode(email) } });
}

/** @returns the URL to which the browser is redirected. */
async function signInAndAllow(
  deployment: AuthDeployment,
  browser: PageBrowser,
  url: URL,
  email: string,
  { isEmailShared = true } = {},
): Promise<URL> {
  const page = await signIn(deployment, browser, url, email);
  const fields = { decision: "allow", ...(isEmailShared && { scope: "contact_email" }) };
  const { leftTo = "" } = await browser.send(page, { action: "/oauth/consent", fields });
  return new URL(leftTo);
}

function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

function codeOf(callback: URL): string {
  return callback.searchParams.get("code") ?? "";
}

function expectUnlogged(deployment: AuthDeployment, secrets: readonly string[]): void {
  const output = deployment.output();
  for (const secret of secrets) {
    expect(secret).not.toBe("");
    expect(output).not.toContain(secret);
  }
}
