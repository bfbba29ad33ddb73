import { type CallOptions, request, type Server } from "./request.ts";
import { TidemarkError } from "./tidemark-error.ts";

/** An application that signs users in. */
export interface Application {
  /** Origin of the sign-in pages (`AUTH_URL`), which is also the issuer. */
  readonly issuer: string;
  /** UUID of the client. */
  readonly clientId: string;
  /** One of its registered redirect URIs, exactly. */
  readonly redirectUri: string;
  /** Sends requests; the global `fetch` by default. */
  readonly fetch?: Server["fetch"];
}

/** The values that an application keeps between the redirect and the callback, secretly, for one browser and one sign-in. */
export interface SignInAttempt {
  readonly state: string;
  /** PKCE's secret: without it the code is useless. */
  readonly codeVerifier: string;
}

/** Wishes for a sign-in. */
export interface AuthorizeOptions {
  /** Names with spaces between, of which unknown ones are ignored; all scopes of the client by default. */
  readonly scope?: string;
  /** `none`: show no page, come back with an error instead; `login`: sign in again; `consent`: ask again. */
  readonly prompt?: "none" | "login" | "consent";
}

/** Tokens of a user. */
export interface Tokens {
  readonly access_token: string;
  /** `DPoP` for an access token that is bound to a key (RFC 9449). */
  readonly token_type: "Bearer" | "DPoP";
  /** Seconds that the access token is valid for. */
  readonly expires_in: number;
  /** For the next tokens; each is good for one refresh. */
  readonly refresh_token: string;
  /** Granted scopes, with one space between. */
  readonly scope: string;
  /** The ID token, which says who has signed in; with the scope `openid`. */
  readonly id_token?: string;
}

/** Begins a sign-in. @returns the address to send the browser to, and what to keep until it comes back */
export async function beginSignIn(
  application: Application,
  options: AuthorizeOptions = {},
): Promise<{ readonly url: string; readonly attempt: SignInAttempt }> {
  const attempt = { state: randomText(), codeVerifier: randomText() };
  const url = new URL("/oauth/authorize", application.issuer);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: application.clientId,
    redirect_uri: application.redirectUri,
    state: attempt.state,
    code_challenge: await codeChallenge(attempt.codeVerifier),
    code_challenge_method: "S256",
    ...options,
  }).toString();
  return { url: url.href, attempt };
}

/**
 * Checks that a callback answers this sign-in and comes from this issuer (RFC 9207), and returns its code.
 *
 * @param callback the address that the browser came back to, or its query
 * @throws TidemarkError `invalid_callback` where it is forged, another sign-in's or malformed; OAuth's code, such as
 *   `access_denied`, where there is no sign-in
 */
export function readCallback(application: Application, callback: string | URL, attempt: SignInAttempt): string {
  const { searchParams } = new URL(callback, application.redirectUri);
  const parameter = (name: string) => {
    const values = searchParams.getAll(name);
    if (values.length > 1) throw new TidemarkError("invalid_callback", `The callback has several values of ${name}.`);
    return values[0] ?? "";
  };
  if (attempt.state === "" || parameter("state") !== attempt.state) {
    throw new TidemarkError("invalid_callback", "The callback's state is another sign-in's.");
  }
  if (parameter("iss") !== new URL(application.issuer).origin) {
    throw new TidemarkError("invalid_callback", "The callback is another issuer's.");
  }
  const [error, code] = [parameter("error"), parameter("code")];
  if (error !== "") throw new TidemarkError(error, parameter("error_description") || "The user isn't signed in.");
  if (code === "") throw new TidemarkError("invalid_callback", "The callback has no code.");
  return code;
}

/** Exchanges a code for tokens, once and within 60 seconds. @throws TidemarkError `invalid_grant`: begin another sign-in */
export function exchangeCode(
  application: Application,
  code: string,
  { codeVerifier }: SignInAttempt,
  options: CallOptions = {},
): Promise<Tokens> {
  const { redirectUri: redirect_uri } = application;
  const fields = { grant_type: "authorization_code", code, redirect_uri, code_verifier: codeVerifier };
  return post(application, "token", fields, options);
}

/**
 * Gets the next tokens. Store both at once: the refresh token is used up. If no answer arrives, try again with the same one within
 * 10 seconds.
 *
 * @throws TidemarkError `invalid_grant`: begin another sign-in
 */
export function refreshTokens(
  application: Application,
  refreshToken: string,
  options: CallOptions = {},
): Promise<Tokens> {
  return post(application, "token", { grant_type: "refresh_token", refresh_token: refreshToken }, options);
}

/** Signs a user out: ends the tokens of the sign-in that this one belongs to. */
export function revokeToken(application: Application, token: string, options: CallOptions = {}): Promise<void> {
  return post(application, "revoke", { token }, options, async () => {});
}

/** Sends a form to an endpoint, as a request that needs no preflight. */
function post<T>(
  { issuer, clientId, fetch }: Application,
  endpoint: string,
  fields: Readonly<Record<string, string>>,
  options: CallOptions,
  read?: (response: Response) => Promise<T>,
): Promise<T> {
  const body = new URLSearchParams({ ...fields, client_id: clientId });
  const init: RequestInit = { method: "POST", body, redirect: "error" };
  return request(new URL(`/oauth/${endpoint}`, issuer).href, init, { ...options, ...(fetch && { fetch }) }, read);
}

/** Returns the S256 challenge of a verifier (RFC 7636, section 4.2). */
export async function codeChallenge(codeVerifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  return base64url(new Uint8Array(digest));
}

/** Returns 256 random bits as 43 characters. */
function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
