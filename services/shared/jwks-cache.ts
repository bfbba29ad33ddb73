import { type CryptoKey, importJWK, type JSONWebKeySet, type JWK } from "jose";
import type { JwksSource } from "./jwks-source.ts";
import { ServiceError } from "./service-error.ts";
import { SIGNING_ALGORITHM } from "./signed-token.ts";

/** A JWKS is asked for again after this long; auth shows a key for 15 minutes before it signs with it. */
const FRESH_MS = 5 * 60_000;
/** Keys this old are still good where no newer ones can be had: a token may live for an hour. */
const MAX_AGE_MS = 60 * 60_000;
/** Tokens with unknown key IDs, which anybody can make, cause no more questions than one in this time. */
const UNKNOWN_KEY_INTERVAL_MS = 10_000;
const RETRY_INTERVAL_MS = 1_000;

/** The keys of a JWKS, held in memory, asked for again now and then and for a key ID that isn't among them. */
export class JwksCache {
  readonly #source: JwksSource;
  readonly #now: () => number;
  #keys: ReadonlyMap<string, CryptoKey> | undefined;
  #readAt = 0;
  #triedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #failure: unknown;

  /** @param now milliseconds since 1970; the time of the process by default. */
  constructor(source: JwksSource, now: () => number = Date.now) {
    this.#source = source;
    this.#now = now;
  }

  /** Undefined where there is no such key. @throws ServiceError `unavailable` where the keys can't be had */
  async find(keyId: string): Promise<CryptoKey | undefined> {
    if (!this.#isFresh() || !this.#keys?.has(keyId)) await this.#readIfDue();
    if (this.#keys !== undefined && this.#now() - this.#readAt <= MAX_AGE_MS) return this.#keys.get(keyId);
    throw new ServiceError("unavailable", "the keys that verify tokens can't be had now", { cause: this.#failure });
  }

  #isFresh(): boolean {
    return this.#keys !== undefined && this.#now() - this.#readAt < FRESH_MS;
  }

  #readIfDue(): Promise<void> {
    if (this.#reading !== undefined) return this.#reading;
    const interval = this.#isFresh() ? UNKNOWN_KEY_INTERVAL_MS : RETRY_INTERVAL_MS;
    if (this.#now() - this.#triedAt < interval) return Promise.resolve();
    this.#triedAt = this.#now();
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const readAt = this.#now();
    try {
      this.#keys = await importKeys(await this.#source());
      this.#readAt = readAt;
    } catch (error) {
      this.#failure = error;
    }
  }
}

async function importKeys(jwks: unknown): Promise<ReadonlyMap<string, CryptoKey>> {
  const { keys } = jwks as Partial<JSONWebKeySet>;
  if (!Array.isArray(keys)) throw new TypeError("a JWKS has a list of keys");
  const imported = await Promise.all(keys.filter(isUsable).map(importKey));
  return new Map(imported);
}

/** Keys of other kinds, which RFC 7517 section 5 wants ignored, are for somebody else. */
function isUsable(key: JWK): key is JWK & { kid: string } {
  return key.kty === "EC" && key.crv === "P-256" && typeof key.kid === "string" && (key.use ?? "sig") === "sig";
}

async function importKey({ kid, kty, crv, x, y }: JWK & { kid: string }): Promise<[string, CryptoKey]> {
  const key = await importJWK(
    { ...(kty && { kty }), ...(crv && { crv }), ...(x && { x }), ...(y && { y }) } as JWK,
    SIGNING_ALGORITHM,
  );
  if (key instanceof Uint8Array) throw new TypeError("a key of a JWKS is no public key");
  return [kid, key];
}
