import type { SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";
import type { AccessTokenClaims, Tenancy } from "./access-token-claims.ts";
import type { AuthenticationMethod } from "./authentication-method.ts";

/** The facts from which an access token is made. */
export interface AccessTokenGrant {
  readonly clientUuid: string;
  readonly saleUuid: string;
  readonly tenancy: Tenancy;
  readonly accountUuid: string;
  readonly familyUuid: string;
  /** The salt of the sale. */
  readonly subjectSalt: Uint8Array;
  readonly scopes: readonly string[];
  /** The thumbprint of the key that the token is bound to; undefined for a bearer token. */
  readonly keyThumbprint?: string | undefined;
}

/** The claims of a verified access token. */
export interface OwnAccessTokenClaims extends AccessTokenClaims {
  /** The family of the token: all tokens that come from one code. */
  readonly familyUuid: string;
  /** `iat`, in milliseconds since 1970. */
  readonly issuedAtMs: bigint;
}

/** The facts from which an ID token is made. */
export interface IdTokenGrant {
  readonly clientUuid: string;
  readonly accountUuid: string;
  /** The salt of the sale. */
  readonly subjectSalt: Uint8Array;
  /** The algorithm that the client has chosen. */
  readonly algorithm: SignatureAlgorithm;
  /** When the user signed in; undefined where the request had no `max_age`, since it is the same in all sales. */
  readonly authenticatedAtMs: bigint | undefined;
  readonly authenticatedBy: AuthenticationMethod;
  /** Whether the application may see the user's e-mail address, which is verified always; the token doesn't have it. */
  readonly sharesEmail: boolean;
  /** The `nonce` of the authorization request; undefined where it had none, and after a refresh. */
  readonly nonce: string | undefined;
  /** The access token beside it. */
  readonly accessToken: string;
}

/** The content of an ID token that comes back as a hint. */
export interface IdTokenHint {
  readonly subject: string;
  readonly clientUuid: string;
}
