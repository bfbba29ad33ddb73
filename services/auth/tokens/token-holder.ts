import type { SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";
import { type ClientScope, OPENID } from "../base/oauth/scope.ts";

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

type Holder = Pick<TokenHolder, "clientScopes" | "consentedScopes">;

/**
 * The scopes of a grant that are in force: those that the user's consent still grants, and that the client is still
 * configured for. They never exceed the grant, so a consent that is given again doesn't widen an earlier grant. `openid` is in no
 * consent and no configuration, and stays.
 */
export function effectiveScopes(granted: readonly string[], holder: Holder): readonly string[] {
  const { clientScopes, consentedScopes } = holder;
  const configured = clientScopes.map(({ scope }) => scope);
  return granted.filter((scope) => scope === OPENID || (consentedScopes.includes(scope) && configured.includes(scope)));
}

/** Whether scopes let a client sign a user in: there are some, and none is missing that the client requires. */
export function sufficesFor({ clientScopes }: Holder, scopes: readonly string[]): boolean {
  return scopes.length > 0 && clientScopes.every(({ scope, required }) => !required || scopes.includes(scope));
}
