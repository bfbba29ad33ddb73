import { isLoopbackHost } from "../../../common/platform/outbound/loopback-host.ts";
import type { Client } from "../applications/application.ts";

/** A page that must be shown in any case (OpenID Connect Core section 3.1.2.1). */
export type Prompt = "login" | "consent" | "select_account";

/** A checked authorization request. */
export interface AuthorizationRequest {
  readonly clientUuid: string;
  /** One of the registered redirect URIs. */
  readonly redirectUri: string;
  /** `openid`, where the request has it, and names of the client's scopes. */
  readonly scopes: readonly string[];
  /** 1 to 2,000 characters of printable ASCII. */
  readonly state: string | undefined;
  /** The challenge, always of S256. */
  readonly codeChallenge: string;
  readonly prompts: readonly Prompt[];
  /** The maximum age of the sign-in in seconds; undefined for any. */
  readonly maxAgeSeconds: number | undefined;
  /** The e-mail address that the application expects to sign in; the sign-in page begins with it. */
  readonly loginHint: string | undefined;
  /** The `nonce` of the ID token. */
  readonly nonce: string | undefined;
  /** The `sub` of the ID token that the request came with: only this user may answer it. */
  readonly hintedSubject: string | undefined;
  /** `dpop_jkt`: the thumbprint of the key that must exchange the code; undefined for any, or none. */
  readonly keyThumbprint: string | undefined;
  readonly createdAtMs: bigint;
}

/** A client, with the redirect URI that the request names or defaults to. */
export interface ReturnTarget {
  readonly client: Client;
  readonly redirectUri: string;
}

/** The host of a redirect URI, as pages show it. */
export function redirectHost(redirectUri: string): string {
  return new URL(redirectUri).host;
}

/** Whether the response goes to a program on the user's machine, which can't be identified (RFC 8252 section 8.6). */
export function returnsToLoopback(redirectUri: string): boolean {
  return isLoopbackHost(new URL(redirectUri).hostname);
}

/** Whether the response is sent by http, which only loopback URIs may use. */
export function returnsByHttp(redirectUri: string): boolean {
  return new URL(redirectUri).protocol === "http:";
}
