import { randomUUID } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { expect } from "vitest";
import { urlJwks } from "../../../common/platform/jwt/jwks-source.ts";
import type { PageBrowser } from "../../../gateway/testing/page-browser.ts";
import type { ClientSecuritySchema } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { AccessTokenVerifier } from "../../../services/auth/testing/access-token-verifier.ts";
import type { AuthDeployment } from "../processes/auth-deployment.ts";
import { auction } from "../sales/sale-messages.ts";
import { createFitClient, REDIRECT_URI } from "./fit-client.ts";

export const REQUIRED = "read_entities sale_eligibility_check";
export const ALL = `${REQUIRED} contact_email`;
/** Allows http, because the issuer is on this machine. */
export const INSECURE = { [oauth.allowInsecureRequests]: true };

/** Creates a client that may sign users in. @param security what differs from a public client that nothing is demanded of */
export async function newClient(
  { auth, commitments }: AuthDeployment,
  security?: MessageInitShape<typeof ClientSecuritySchema>,
): Promise<string> {
  const { sale } = await commitments.sales.createSale({ tenancy: Tenancy.LIVE, definition: auction() });
  const defaults = { tokenEndpointAuthMethod: "none", idTokenSignedResponseAlg: "RS256" };
  const options = security === undefined ? {} : { security: { ...defaults, ...security } };
  return createFitClient(auth.as("operator"), sale?.uuid ?? "", options);
}

/** Verifies access tokens of a client as a service does that takes them. */
export function verifierFor({ issuer }: AuthDeployment, clientUuid: string): AccessTokenVerifier {
  const rules = { issuer, audience: issuer, issuedFor: { clientUuid }, tenancy: "live" } as const;
  return new AccessTokenVerifier({ jwks: urlJwks(`${issuer}/.well-known/jwks.json`), ...rules });
}

export async function discovered({ issuer }: AuthDeployment, clientId: string) {
  const url = new URL(issuer);
  const answer = await oauth.discoveryRequest(url, { algorithm: "oauth2", ...INSECURE });
  return { server: await oauth.processDiscoveryResponse(url, answer), client: { client_id: clientId } };
}

/** @param clockSkewS the seconds by which the client's clock is ahead of the right time */
export function openidConfig(
  { issuer }: AuthDeployment,
  clientId: string,
  authentication = openid.None(),
  clockSkewS = 0,
): Promise<openid.Configuration> {
  const options = { algorithm: "oauth2" as const, execute: [openid.allowInsecureRequests] };
  const metadata = { [openid.clockSkew]: clockSkewS };
  return openid.discovery(new URL(issuer), clientId, metadata, authentication, options);
}

export async function authorizationUrl(
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
export async function signIn(deployment: AuthDeployment, browser: PageBrowser, url: URL, email: string) {
  expect(url.origin).toBe(deployment.issuer);
  const start = await browser.open(url.pathname + url.search);
  const code = await browser.send(start, { action: "/sign-in", fields: { email } });
  return browser.send(code, { action: "/sign-in/code", fields: { code: deployment.mailedCode(email) } });
}

/** @returns the URL to which the browser is redirected. */
export async function signInAndAllow(
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

export function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

export function codeOf(callback: URL): string {
  return callback.searchParams.get("code") ?? "";
}

export function expectUnlogged(deployment: AuthDeployment, secrets: readonly string[]): void {
  const output = deployment.output();
  for (const secret of secrets) {
    expect(secret).not.toBe("");
    expect(output).not.toContain(secret);
  }
}

/** Expects JSON in every line of the log, and none that somebody forged. */
export function expectUnforgedLog(deployment: AuthDeployment): void {
  for (const line of deployment.output().split("\n")) {
    expect(JSON.parse(line)).toMatchObject({ level: expect.not.stringMatching(/fatal/) });
  }
}
