import { createHash } from "node:crypto";
import type { Client } from "../applications/application.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { OAuthParameter, OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import { KNOWN_PARAMETERS } from "./authorization-parameters.ts";

/** The beginning of every `request_uri` (RFC 9126 section 2.2), before 43 characters that nobody can guess. */
const PREFIX = "urn:ietf:params:oauth:request_uri:";

/**
 * The size of a request that is kept, in characters of JSON, so that strangers can't fill the database: anybody can push for a public
 * client. The longest redirect URI, `state` and `nonce` with an `id_token_hint` need 6,000.
 */
const MAX_KEPT_CHARACTERS = 8_192;

/** An authorization request that its client has sent in advance (RFC 9126). */
export interface PushedRequest {
  readonly clientUuid: string;
  /** All that was pushed of `KNOWN_PARAMETERS`, and `client_id` in any case. */
  readonly parameters: readonly OAuthParameter[];
}

export function newRequestUri(): string {
  return PREFIX + newOpaqueToken();
}

/**
 * Returns the `request_uri` of an authorization that begins from a pushed request; undefined for any other request. One that
 * was sent twice, or leads elsewhere, is refused where the parameters are read.
 */
export function pushedRequestUri(parameters: OAuthParameters): string | undefined {
  const uri = parameters.single("request_uri");
  return uri?.startsWith(PREFIX) ? uri : undefined;
}

/**
 * Returns the handle of the authorization that begins from a pushed request. It is always the same one, so that a browser that
 * loads the address again comes to the page where it was.
 */
export function authorizationHandleOf(requestUri: string): string {
  return createHash("sha256").update(`authorization of ${requestUri}`).digest("base64url");
}

/**
 * Returns the parameters that are kept: no credentials of the client, and none that would be ignored.
 *
 * @throws OAuthError `invalid_request` if they are too long together
 */
export function keptParameters(sent: readonly OAuthParameter[], clientUuid: string): readonly OAuthParameter[] {
  const knownParameters = sent.filter(({ name }) => name !== "client_id" && KNOWN_PARAMETERS.includes(name));
  const parameters = [{ name: "client_id", value: clientUuid }, ...knownParameters];
  if (JSON.stringify(parameters).length <= MAX_KEPT_CHARACTERS) return parameters;
  throw new OAuthError("invalid_request", `the request is longer than ${MAX_KEPT_CHARACTERS} characters`);
}

/** Refuses a request that wasn't pushed, if its client demands that (RFC 9126 section 6). @throws OAuthError */
export function requirePushed({ definition }: Client, isPushed: boolean): void {
  if (isPushed || !definition.security.requirePushedAuthorizationRequests) return;
  throw new OAuthError("invalid_request", "the client demands pushed requests: send request_uri of one");
}
