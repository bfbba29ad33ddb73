import type { Clock } from "../../../common/platform/time/clock.ts";
import { ACCESS_TOKEN_TYPE, accessTokenClaims } from "../base/access-token-claims.ts";
import type { AccessTokenGrant, OwnAccessTokenClaims } from "../base/issued-tokens.ts";
import { pooledRandomBytes } from "../base/pooled-random.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { accessTokenId, familyOfTokenId } from "./access-token.ts";
import { pairwiseSubject } from "./pairwise-subject.ts";
import { VerifiedClaims } from "./verified-claims.ts";

export interface AccessTokensOptions {
  readonly keyRing: Pick<KeyRing, "sign" | "verify" | "has">;
  readonly clock: Clock;
  /** The `aud` of all tokens. */
  readonly audience: string;
  readonly ttlMs: number;
}

const RANDOM_BYTES = 16;

/** Issues and verifies access tokens: JWTs of RFC 9068, which never contain the e-mail address or the account. */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  readonly #verified: VerifiedClaims;

  constructor(options: AccessTokensOptions) {
    this.#options = options;
    this.#verified = new VerifiedClaims(options);
  }

  async issue(grant: AccessTokenGrant): Promise<{ readonly token: string; readonly expiresInSeconds: number }> {
    const { keyRing, clock, audience, ttlMs } = this.#options;
    const issuedAt = seconds(clock());
    const expiresInSeconds = Math.floor(ttlMs / 1_000);
    const token = await keyRing.sign(ACCESS_TOKEN_TYPE, {
      aud: audience,
      sub: pairwiseSubject(grant.subjectSalt, grant.accountUuid),
      client_id: grant.clientUuid,
      scope: grant.scopes.join(" "),
      jti: accessTokenId(grant.familyUuid, pooledRandomBytes(RANDOM_BYTES)),
      iat: issuedAt,
      exp: issuedAt + expiresInSeconds,
      auth_time: seconds(grant.authenticatedAtMs),
      sale_uuid: grant.saleUuid,
      tenancy: grant.tenancy,
      ...(grant.keyThumbprint === undefined ? {} : { cnf: { jkt: grant.keyThumbprint } }),
    });
    return { token, expiresInSeconds };
  }

  /**
   * Verifies signature, claims and expiry, but not whether the family is revoked.
   *
   * @returns undefined for any text that isn't a valid access token.
   */
  async verify(token: string): Promise<OwnAccessTokenClaims | undefined> {
    return (await this.#verified.find(token)) ?? this.#verify(token);
  }

  async #verify(token: string): Promise<OwnAccessTokenClaims | undefined> {
    const { keyRing, audience } = this.#options;
    const payload = await keyRing.verify(token, { type: ACCESS_TOKEN_TYPE, audience });
    const claims = accessTokenClaims(payload);
    if (claims === undefined || payload?.iat === undefined) return undefined;
    const familyUuid = familyOfTokenId(claims.tokenId);
    if (familyUuid === undefined) return undefined;
    const own = { ...claims, familyUuid, issuedAtMs: BigInt(payload.iat) * 1_000n };
    this.#verified.add(token, own);
    return own;
  }
}

function seconds(timeMs: bigint): number {
  return Number(timeMs / 1_000n);
}
