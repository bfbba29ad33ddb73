import type { SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";
import type { ClientScope } from "../base/oauth/scope.ts";

/** The account and the client of a code or a token, as they are now. */
export interface TokenHolder {
  readonly accountUuid: string;
  readonly clientUuid: string;
  readonly saleUuid: string;
  readonly tenancy: "test" | "live";
  /** The salt of `pairwiseSubject`. */
  readonly subjectSalt: Uint8Array;
  readonly clientIsActive: boolean;
  /** Whether the client must authenticate (`private_key_jwt`). */
  readonly clientIsConfidential: boolean;
  /** Whether the client's authorizations begin from pushed requests only (`require_pushed_authorization_requests`). */
  readonly clientDemandsPush: boolean;
  /** Whether the client gets access tokens only that are bound to a key (`dpop_bound_access_tokens`). */
  readonly clientDemandsDpop: boolean;
  /** Whether the client is active, and its tokens weren't revoked since the code was issued. */
  readonly clientIsValid: boolean;
  /** The algorithm that the client wants ID tokens signed with. */
  readonly idTokenAlgorithm: SignatureAlgorithm;
  /** The scopes that the client is configured for. */
  readonly clientScopes: readonly ClientScope[];
  /** The scopes that the user's consent grants to the client. */
  readonly consentedScopes: readonly string[];
}

/**
 * Returns the key by which rate limits count the requests about a holder's tokens: the account at this application. Otherwise one
 * application could use up what the account's other applications have.
 */
export function rateLimitKey({ accountUuid, clientUuid }: Pick<TokenHolder, "accountUuid" | "clientUuid">): string {
  return `${accountUuid} ${clientUuid}`;
}
