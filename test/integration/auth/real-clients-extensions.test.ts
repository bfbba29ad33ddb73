import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { type ClientKeyPair, clientKeyPair } from "../../../services/auth/testing/assertions.ts";
import { REDIRECT_URI } from "../../support/applications/fit-client.ts";
import {
  ALL,
  authorizationUrl,
  discovered,
  expectUnforgedLog,
  expectUnlogged,
  INSECURE,
  newClient,
  newEmail,
  openidConfig,
  REQUIRED,
  signInAndAllow,
  verifierFor,
} from "../../support/applications/real-clients.ts";
import { type AuthDeployment, startAuthDeployment } from "../../support/processes/auth-deployment.ts";
import { describeService } from "../../support/processes/describe-service.ts";
import { runShell } from "../../support/processes/shell.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeBlocks, onlyCodeBlock } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";

const SIGNED_OUT_URI = "https://app.example/signed-out";
/** Makes a function of a documented program. */
const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => {}).constructor;

describeService("extensions in real clients", startAuthDeployment, (deployment) => {
  let clientId: string;
  beforeAll(async () => {
    clientId = await newClient(deployment());
  });

  it("oauth4webapi authenticates with private_key_jwt, pushes its request, and introspects", async () => {
    const pair = await clientKeyPair("PS256");
    const confidentialId = await newClient(deployment(), keyed(jwksOf(pair)));
    const { server, client } = await discovered(deployment(), confidentialId);
    const authentication = oauth.PrivateKeyJwt({ key: pair.privateKey, kid: pair.publicJwk.kid });
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const url = await authorizationUrl(server, client, { verifier: verifierText, state });
    const push = await oauth.pushedAuthorizationRequest(server, client, authentication, url.searchParams, INSECURE);
    const { request_uri: pushed } = await oauth.processPushedAuthorizationResponse(server, client, push);
    url.search = new URLSearchParams({ client_id: confidentialId, request_uri: pushed }).toString();
    const callback = await signInAndAllow(deployment(), deployment().browser(), url, newEmail());
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
      iss: deployment().issuer,
    };
    expect(await introspect(token)).toMatchObject(active);
    expect(await introspect("guessed")).toEqual({ active: false });
    const revocation = await oauth.revocationRequest(server, client, authentication, token, INSECURE);
    await oauth.processRevocationResponse(revocation);
    expect(await introspect(token)).toEqual({ active: false });
    expectUnlogged(deployment(), [token, verifierText]);
  });

  it.each(["ES256", "Ed25519"])("openid-client authenticates with private_key_jwt and %s", async (algorithm) => {
    const pair = await clientKeyPair(algorithm);
    const authentication = openid.PrivateKeyJwt({ key: pair.privateKey, kid: pair.publicJwk.kid });
    const config = await openidConfig(deployment(), await newClient(deployment(), keyed(jwksOf(pair))), authentication);
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const url = await openid.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: REDIRECT_URI,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const callback = await signInAndAllow(deployment(), deployment().browser(), url, newEmail());
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
      .replace("https://sign-in.example", deployment().issuer)
      .replace("22222222-2222-4222-8222-222222222222", await newClient(deployment(), keyed(jwks)))
      .replace('{ algorithm: "oauth2" }', '{ algorithm: "oauth2", execute: [client.allowInsecureRequests] }')
      .replace('readFileSync("private-key.json", "utf8")', "process.env.PRIVATE_KEY");
    const ask = `console.log(JSON.stringify(await client.tokenIntrospection(config, "guessed")));`;
    const script = `PRIVATE_KEY='${privateKey}' node --input-type=module --eval '${program + ask}'`;
    expect(JSON.parse(await runShell(script))).toEqual({ active: false });
    await expect(newClient(deployment(), keyed(JSON.stringify({ keys: [JSON.parse(privateKey)] })))).rejects.toThrow(
      "private",
    );
  });

  it("oauth4webapi pushes its request, and the client demands that from then on (RFC 9126)", async () => {
    const pushing = await newClient(deployment());
    await demandPushedRequests(deployment(), pushing);
    const { server, client } = await discovered(deployment(), pushing);
    expect(server).toMatchObject({
      pushed_authorization_request_endpoint: `${deployment().issuer}/oauth/par`,
      require_pushed_authorization_requests: false,
    });
    const [verifierText, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const plain = await authorizationUrl(server, client, { verifier: verifierText, state, scope: ALL });
    const push = await oauth.pushedAuthorizationRequest(server, client, oauth.None(), plain.searchParams, INSECURE);
    const { request_uri: requestUri } = await oauth.processPushedAuthorizationResponse(server, client, push);
    const url = new URL(server.authorization_endpoint ?? "");
    url.search = new URLSearchParams({ client_id: pushing, request_uri: requestUri }).toString();
    const browser = deployment().browser();
    const callback = await signInAndAllow(deployment(), browser, url, newEmail());
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
    const wrong = new URLSearchParams({ ...Object.fromEntries(plain.searchParams), scope: '"admin"' });
    const refused = await oauth.pushedAuthorizationRequest(server, client, oauth.None(), wrong, INSECURE);
    await expect(oauth.processPushedAuthorizationResponse(server, client, refused)).rejects.toMatchObject({
      error: "invalid_scope",
      status: 400,
    });
    expectUnlogged(deployment(), [requestUri]);
  });

  it("openid-client pushes its request (RFC 9126)", async () => {
    const config = await openidConfig(deployment(), clientId);
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const url = await openid.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: REDIRECT_URI,
      scope: REQUIRED,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    expect(url.searchParams.has("code_challenge")).toBe(false);
    const callback = await signInAndAllow(deployment(), deployment().browser(), url, newEmail(), {
      isEmailShared: false,
    });
    const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    expect(tokens.scope).toBe(REQUIRED);
  });

  it.each(["RS256", "ES256"])(
    "openid-client finds all by its default discovery, and signs in and out: %s",
    async (alg) => {
      const own = await newClient(deployment(), {
        idTokenSignedResponseAlg: alg,
        postLogoutRedirectUris: [SIGNED_OUT_URI],
      });
      const execute = [openid.allowInsecureRequests];
      const config = await openid.discovery(new URL(deployment().issuer), own, undefined, openid.None(), { execute });
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
      const browser = deployment().browser();
      const callback = await signInAndAllow(deployment(), browser, url, newEmail(), { isEmailShared: false });
      const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 60, idTokenExpected: true };
      const tokens = await openid.authorizationCodeGrant(config, callback, checks);
      const { sub = "", ...claims } = tokens.claims() ?? { sub: "" };
      expect(tokens.scope).toBe(`openid ${REQUIRED}`);
      expect(claims).toMatchObject({ acr: "urn:tidemark:email-code", amr: ["otp"] });
      expect(decodeProtectedHeader(tokens.id_token ?? "").alg).toBe(alg);
      const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri ?? ""));
      await jwtVerify(tokens.id_token ?? "", keys, { issuer: deployment().issuer, audience: own });
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
      expectUnlogged(deployment(), [tokens.id_token ?? "", refreshed.id_token ?? "", expectedNonce]);
    },
  );

  it("oauth4webapi finds all by OpenID discovery, and verifies the ID token", async () => {
    const issuer = new URL(deployment().issuer);
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
    const callback = await signInAndAllow(deployment(), deployment().browser(), url, email);
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
    expect(await oauth.processUserInfoResponse(server, client, sub, request)).toEqual({
      sub,
      email,
      email_verified: true,
    });
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
    const strictId = await newClient(deployment(), { dpopBoundAccessTokens: true });
    const config = await openidConfig(deployment(), strictId);
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
    const browser = deployment().browser();
    const callback = await signInAndAllow(deployment(), browser, url, newEmail());
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
    await expect(verifierFor(deployment(), clientId).verify(`Bearer ${later.access_token}`, [])).rejects.toMatchObject({
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
    const asked = call.replace(/https:[^"]*/, `${deployment().issuer}/oauth/userinfo`);
    const runCall = new AsyncFunction("client", "config", "later", "DPoP", `${asked}; return answer.json();`);
    expect(await runCall(openid, config, shown.later, shown.DPoP)).toMatchObject({ sub });
  });

  it.each([-3_600, 3_600])(
    "openid-client signs in by DPoP on a device whose clock is %i seconds wrong, from its first request on (RFC 9449 4.3)",
    async (seconds) => {
      const strictId = await newClient(deployment(), { dpopBoundAccessTokens: true });
      const config = await openidConfig(deployment(), strictId, openid.None(), seconds);
      const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
      const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
      const request = {
        redirect_uri: REDIRECT_URI,
        state: expectedState,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
      };
      const url = await openid.buildAuthorizationUrlWithPAR(config, request, { DPoP });
      const callback = await signInAndAllow(deployment(), deployment().browser(), url, newEmail());
      const checks = { pkceCodeVerifier, expectedState };
      const tokens = await openid.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
      const { sub } = await openid.fetchUserInfo(config, tokens.access_token, openid.skipSubjectCheck, { DPoP });
      const later = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, { DPoP });
      expect(later.token_type).toBe("dpop");
      expect(await openid.fetchUserInfo(config, later.access_token, sub, { DPoP })).toMatchObject({ sub });
    },
  );

  it("leave log lines that can't be forged", () => {
    expectUnforgedLog(deployment());
  });
});

/** The security settings of a client whose server authenticates with its keys. */
function keyed(jwks: string) {
  return { tokenEndpointAuthMethod: "private_key_jwt", jwks };
}

function jwksOf({ publicJwk }: ClientKeyPair): string {
  return JSON.stringify({ keys: [publicJwk] });
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
