import type { PublicJwk } from "./public-jwk.ts";

/**
 * The protections that an application asks for. Their names are those of the client metadata in RFC 7591, 9126 and 9449 and in
 * OpenID Connect.
 */
export interface ClientSecurity {
  /** Whether authorizations begin only from a pushed request (RFC 9126 section 6). */
  readonly requirePushedAuthorizationRequests: boolean;
  /** Whether tokens are issued only bound to a key of the application (RFC 9449 section 5.2). */
  readonly dpopBoundAccessTokens: boolean;
  /** The algorithm that signs its ID tokens. */
  readonly idTokenSignedResponseAlg: "RS256" | "ES256";
  /** How it authenticates at the token endpoint. With `none` its keys authenticate nobody. */
  readonly tokenEndpointAuthMethod: "none" | "private_key_jwt";
  /** Its public keys, at most 8, each with another `kid`. */
  readonly jwks: readonly PublicJwk[];
  /** Where its users may be sent after a sign-out, compared as exact strings. */
  readonly postLogoutRedirectUris: readonly string[];
}

/** The settings of an application that asks for nothing. */
export const DEFAULT_SECURITY: ClientSecurity = {
  requirePushedAuthorizationRequests: false,
  dpopBoundAccessTokens: false,
  idTokenSignedResponseAlg: "RS256",
  tokenEndpointAuthMethod: "none",
  jwks: [],
  postLogoutRedirectUris: [],
};
