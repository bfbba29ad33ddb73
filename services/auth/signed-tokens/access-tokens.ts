import { createHash } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import { ACCESS_TOKEN_TYPE, accessTokenClaims } from "../base/access-token-claims.ts";
import type { AccessTokenGrant, OwnAccessTokenClaims } from "../base/issued-tokens.ts";
import { pooledRandomBytes } from "../base/pooled-random.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { pairwiseSubject } from "./pairwise-subject.ts";

export interface AccessTokensOptions {
  readonly keyRing: Pick<KeyRing, "sign" | "verify" | "has">;
  readonly clock: Clock;
  /** The `aud` of all tokens. */
  readonly audience: string;
  readonly ttlMs: number;
}

const RANDOM_BYTES = 16;

/**
 * Issues and verifies access tokens: JWTs of RFC 9068. They contain neither the e-mail address nor the account, nor anything else
 * that is equal in the tokens of one person in two sales.
 */
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

const TOKEN_ID = /^([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{22}$/;
const UUID_BYTES = 16;

/** The `jti` of an access token. It contains the family, so that revoking the family needs no row for each access token. */
function accessTokenId(familyUuid: string, random: Buffer): string {
  return `${bytesOfHex(familyUuid).toString("base64url")}.${random.toString("base64url")}`;
}

/** The family in a `jti`; undefined for one that `accessTokenId` hasn't made. */
export function familyOfTokenId(tokenId: string): string | undefined {
  const family = Buffer.from(TOKEN_ID.exec(tokenId)?.[1] ?? "", "base64url");
  return family.length === UUID_BYTES ? uuidFromBytes(family) : undefined;
}

interface VerifiedClaimsOptions {
  readonly keyRing: Pick<KeyRing, "has">;
  readonly clock: Clock;
}

interface Verified {
  readonly keyId: string;
  readonly claims: OwnAccessTokenClaims;
}

/** Tokens whose claims are in memory, of about 0.8 KB each. The least recently used one is dropped. */
const MAX_TOKENS = 5_000;

/**
 * The claims of access tokens whose signature was verified, by the SHA-256 of the whole token, so that no token stays in memory:
 * an application uses one token for many calls, and a signature takes longer to verify than all else about a token. Only valid
 * tokens enter, so that strangers can't push others out. Whether a token was revoked isn't kept here.
 */
class VerifiedClaims {
  readonly #options: VerifiedClaimsOptions;
  readonly #verified = new LRUCache<string, Verified>(atMost(MAX_TOKENS));

  constructor(options: VerifiedClaimsOptions) {
    this.#options = options;
  }

  /** Returns the claims of a token that has not expired and whose key still verifies; undefined: verify it. */
  async find(token: string): Promise<OwnAccessTokenClaims | undefined> {
    const key = keyOf(token);
    const found = this.#verified.get(key);
    if (found === undefined) return undefined;
    const { keyRing, clock } = this.#options;
    if (found.claims.expiresAtMs > clock() && (await keyRing.has(found.keyId))) return found.claims;
    this.#verified.delete(key);
    return undefined;
  }

  /** Keeps the claims of a token that was verified just now. */
  add(token: string, claims: OwnAccessTokenClaims): void {
    const { kid: keyId } = decodeProtectedHeader(token);
    if (keyId !== undefined) this.#verified.set(keyOf(token), { keyId, claims });
  }
}

function keyOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
