import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { JwksCache } from "../../../common/platform/jwt/jwks-cache.ts";
import type { JwksSource } from "../../../common/platform/jwt/jwks-source.ts";
import { verifySignedToken } from "../../../common/platform/jwt/signed-token.ts";
import {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  accessTokenClaims,
  type Tenancy,
} from "../base/access-token-claims.ts";
import { checkPresentation, type ProvedRequest, presentedToken, type RememberProof } from "./token-presentation.ts";

/** The sale or the application whose tokens a service accepts; `any sale` if it decides by the claims itself. */
export type IssuedFor = { readonly saleUuid: string } | { readonly clientUuid: string } | "any sale";

/** The age at which auth's keys are loaded again, so that a key that was removed verifies no more. */
const KEYS_FRESH_MS = 30_000;

/**
 * The rules of a service. All applications of all sales share issuer and keys, and usually the audience: without
 * `issuedFor` and `tenancy`, every founder's users, also those of a test sale, could call the service.
 */
export interface AccessTokenVerifierOptions {
  /** Auth's keys: `rpcJwks`, `urlJwks` or `fileJwks`. */
  readonly jwks: JwksSource;
  /** `AUTH_URL`: the required issuer of the token. */
  readonly issuer: string;
  /** `ACCESS_TOKEN_AUDIENCE`: the required audience. */
  readonly audience: string;
  readonly issuedFor: IssuedFor;
  readonly tenancy: Tenancy;
  /** Milliseconds since 1970; the time of the process by default. */
  readonly now?: () => number;
  /** Remembers proofs, for tokens that are bound to a key (RFC 9449). Without it, these are refused. */
  readonly rememberProof?: RememberProof;
}

/**
 * Verifies access tokens as a service does that users' applications call (a resource server, RFC 9068 section 4): algorithm, type, key,
 * issuer, audience, expiry, sale or application, tenancy, and that the required scopes were granted. Tests hold auth's tokens, and
 * forged ones, against it.
 */
export class AccessTokenVerifier {
  readonly #options: AccessTokenVerifierOptions;
  readonly #keys: JwksCache;

  constructor(options: AccessTokenVerifierOptions) {
    this.#options = options;
    this.#keys = new JwksCache(options.jwks, options.now, { freshMs: KEYS_FRESH_MS });
  }

  /**
   * @param authorization the header: `Bearer` and the token (RFC 6750 section 2.1), or `DPoP` (RFC 9449 section 7.1).
   * @param scopes the token must have all of them
   * @param request the request, for the proof of a token that is bound to a key; without it, such a token is refused
   * @throws ServiceError `unauthenticated` (RFC 6750: 401, `invalid_token`), `permission_denied` (403,
   *   `insufficient_scope`), or `unavailable` if the keys can't be loaded
   */
  async verify(
    authorization: string | undefined,
    scopes: readonly string[],
    request?: ProvedRequest,
  ): Promise<AccessTokenClaims> {
    const { rememberProof: remember, now = Date.now } = this.#options;
    const presented = presentedToken(authorization);
    const claims = await this.#verify(presented.token);
    if (claims === undefined) throw new ServiceError("unauthenticated", "the access token is not valid");
    await checkPresentation(presented, claims, request, { remember, nowMs: now() });
    if (!this.#isForThisService(claims)) {
      throw new ServiceError("unauthenticated", "the access token is for another sale or application");
    }
    const missing = scopes.filter((scope) => !claims.scopes.includes(scope));
    if (missing.length === 0) return claims;
    throw new ServiceError("permission_denied", `the access token lacks the scope ${missing.join(" ")}`);
  }

  #isForThisService({ clientUuid, saleUuid, tenancy }: AccessTokenClaims): boolean {
    const { issuedFor, tenancy: expected } = this.#options;
    if (tenancy !== expected) return false;
    if (issuedFor === "any sale") return true;
    if ("saleUuid" in issuedFor) return saleUuid === issuedFor.saleUuid.toLowerCase();
    return clientUuid === issuedFor.clientUuid.toLowerCase();
  }

  async #verify(token: string): Promise<AccessTokenClaims | undefined> {
    const { issuer, audience, now = Date.now } = this.#options;
    const findKey = (keyId: string) => this.#keys.find(keyId);
    const rules = { type: ACCESS_TOKEN_TYPE, issuer, audience, findKey, nowMs: now() };
    return accessTokenClaims(await verifySignedToken(token, rules));
  }
}
