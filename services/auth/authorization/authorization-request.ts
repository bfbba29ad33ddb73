import type { Client } from "../clients/client.ts";
import { isLoopbackHost } from "../clients/loopback-host.ts";

/** How long a user may take from the first page to the decision. */
export const AUTHORIZATION_REQUEST_LIFETIME_MS = 30n * 60_000n;

/** What a page is shown for, whatever was decided before; empty for neither. */
export type Prompt = "" | "login" | "consent";

/** What a client asks for. */
export interface AuthorizationRequest {
  readonly clientUuid: string;
  /** Where the answer goes: one of the registered. */
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** 1 to 2,000 characters of printable ASCII. */
  readonly state: string | undefined;
  /** Of S256. */
  readonly codeChallenge: string;
  readonly prompt: Prompt;
  readonly createdAtMs: bigint;
}

/** A client, and the redirect URI that a request named or meant. */
export interface ReturnTarget {
  readonly client: Client;
  readonly redirectUri: string;
}

/** The host that the browser returns to, as people are shown it. */
export function redirectHost(redirectUri: string): string {
  return new URL(redirectUri).host;
}

/** Whether the answer goes to a program on the user's machine, which no one can vouch for (RFC 8252 section 8.6). */
export function returnsToLoopback(redirectUri: string): boolean {
  return isLoopbackHost(new URL(redirectUri).hostname);
}

/** Whether the answer travels by http, which only loopback may. */
export function returnsByHttp(redirectUri: string): boolean {
  return new URL(redirectUri).protocol === "http:";
}
