import { createHash } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type { OwnAccessTokenClaims } from "../base/issued-tokens.ts";
import type { KeyRing } from "../keys/key-ring.ts";

export interface VerifiedClaimsOptions {
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
export class VerifiedClaims {
  readonly #options: VerifiedClaimsOptions;
  readonly #verified = new LRUCache<string, Verified>({ max: MAX_TOKENS });

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
