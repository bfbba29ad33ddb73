import { setTimeout as wait } from "node:timers/promises";
import { type CryptoKey, importJWK, type JSONWebKeySet, type JWK } from "jose";
import { ServiceError } from "../errors/service-error.ts";
import { JwksError } from "./jwks-error.ts";
import type { JwksSource } from "./jwks-source.ts";
import { SIGNING_ALGORITHM, type SignatureAlgorithm } from "./signature-algorithm.ts";

/** The default age at which a JWKS is loaded again. Auth publishes a key 15 minutes before it signs with it. */
const FRESH_MS = 5 * 60_000;
/** The age up to which keys are used if no newer ones can be loaded. A token may live for an hour. */
const MAX_AGE_MS = 60 * 60_000;
/** Shorter RSA keys are refused (RFC 7518 section 3.3). */
const MIN_RSA_BITS = 2_048;
/** The shortest time between two loads for unknown key IDs, which anybody can put into a token. */
const UNKNOWN_KEY_INTERVAL_MS = 10_000;
const RETRY_INTERVAL_MS = 1_000;

export interface JwksCacheOptions {
  /** Keys for other algorithms are ignored. Only ES256 by default. */
  readonly algorithms?: readonly SignatureAlgorithm[];
  /** The age at which keys are loaded again, in milliseconds: a removed key verifies for so long. Five minutes by default. */
  readonly freshMs?: number;
  /** The age up to which keys are used if no newer ones can be loaded, in milliseconds. An hour by default. */
  readonly maxAgeMs?: number;
  /** Called for each load that fails, such as `jwksFailures`. */
  readonly onFailure?: (error: JwksError) => void;
}

/** The keys of a JWKS in memory. They are loaded again regularly, and for a key ID that isn't among them. */
export class JwksCache {
  readonly #source: JwksSource;
  readonly #now: () => number;
  readonly #algorithms: readonly SignatureAlgorithm[];
  readonly #freshMs: number;
  readonly #maxAgeMs: number;
  readonly #onFailure: ((error: JwksError) => void) | undefined;
  #keys: ReadonlyMap<string, CryptoKey> | undefined;
  #loadedAt = 0;
  #triedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;
  #failure: JwksError | undefined;

  /** @param now a monotonic clock in milliseconds: the age of keys is a span within this process */
  constructor(source: JwksSource, now: () => number = () => performance.now(), options: JwksCacheOptions = {}) {
    this.#source = source;
    this.#now = now;
    this.#algorithms = options.algorithms ?? [SIGNING_ALGORITHM];
    this.#freshMs = options.freshMs ?? FRESH_MS;
    this.#maxAgeMs = options.maxAgeMs ?? MAX_AGE_MS;
    this.#onFailure = options.onFailure;
  }

  /** Returns a key by its ID; undefined if there is none. @throws ServiceError `unavailable` if the keys can't be loaded */
  async find(keyId: string): Promise<CryptoKey | undefined> {
    if (!this.#isFresh() || !this.#keys?.has(keyId)) await this.#loadIfDue();
    if (this.#keys !== undefined && this.#now() - this.#loadedAt <= this.#maxAgeMs) return this.#keys.get(keyId);
    throw new ServiceError("unavailable", "the keys that verify tokens can't be loaded now", { cause: this.#failure });
  }

  /** Why it has never loaded keys; undefined once it has. */
  get missing(): string | undefined {
    if (this.#keys !== undefined) return undefined;
    return this.#failure === undefined ? "not loaded yet" : `not loaded yet: ${this.#failure.message}`;
  }

  /** Loads keys before a token needs one; again each second until there are some, or the signal is aborted. */
  async loadFirst(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#loadOnce();
      if (this.#keys !== undefined) return;
      await wait(RETRY_INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
  }

  #isFresh(): boolean {
    return this.#keys !== undefined && this.#now() - this.#loadedAt < this.#freshMs;
  }

  #loadIfDue(): Promise<void> {
    const interval = this.#isFresh() ? UNKNOWN_KEY_INTERVAL_MS : RETRY_INTERVAL_MS;
    if (this.#loading === undefined && this.#now() - this.#triedAt < interval) return Promise.resolve();
    return this.#loadOnce();
  }

  /** Loads the keys, or joins the load under way. */
  #loadOnce(): Promise<void> {
    if (this.#loading !== undefined) return this.#loading;
    this.#triedAt = this.#now();
    this.#loading = this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const loadedAt = this.#now();
    try {
      this.#keys = await loadKeys(this.#source, this.#algorithms);
      this.#loadedAt = loadedAt;
    } catch (error) {
      this.#failure = error instanceof JwksError ? error : new JwksError("malformed", "the JWKS can't be read", error);
      this.#onFailure?.(this.#failure);
    }
  }
}

/** Loads the keys that can be used, by their IDs. Errors are JwksError, or those of a key that can't be imported. */
export async function loadKeys(
  source: JwksSource,
  algorithms: readonly SignatureAlgorithm[],
): Promise<ReadonlyMap<string, CryptoKey>> {
  const jwks = await source().catch((error: unknown) => {
    throw loadError(error);
  });
  return importKeys(jwks, algorithms);
}

/** Errors of several addresses have no message, only a code. */
function loadError(error: unknown): JwksError {
  if (error instanceof JwksError) return error;
  const { message, code, name } = error as Partial<NodeJS.ErrnoException>;
  return new JwksError("unreachable", `the JWKS can't be reached: ${message || code || name}`, error);
}

/**
 * The keys of a set by their IDs. A malformed key is left out, like those of other kinds (RFC 7517 section 5): it keeps no other from
 * verifying.
 *
 * @throws JwksError `malformed` if it isn't a set, or has a malformed key and none that can be used
 */
async function importKeys(
  jwks: unknown,
  algorithms: readonly SignatureAlgorithm[],
): Promise<ReadonlyMap<string, CryptoKey>> {
  const keys: unknown = (jwks as Partial<JSONWebKeySet> | null)?.keys;
  if (!Array.isArray(keys)) throw new JwksError("malformed", "the JWKS has no list of keys");
  const imported = await Promise.allSettled(keys.map((key) => importKey(key, algorithms)));
  const usable = imported.flatMap((each) => (each.status === "fulfilled" && each.value ? [each.value] : []));
  const malformed = imported.find((each) => each.status === "rejected");
  if (usable.length === 0 && malformed !== undefined) {
    throw new JwksError("malformed", "no key of the JWKS can be used, as one is malformed", malformed.reason);
  }
  return new Map(usable);
}

/** Returns the imported key; undefined for keys of other kinds, which RFC 7517 section 5 says to ignore. */
async function importKey(
  jwk: JWK,
  algorithms: readonly SignatureAlgorithm[],
): Promise<[string, CryptoKey] | undefined> {
  const algorithm = algorithmOf(jwk);
  const { kid, use = "sig", kty = "", crv, x, y, n, e } = jwk;
  if (algorithm === undefined || !algorithms.includes(algorithm) || typeof kid !== "string" || use !== "sig") return;
  // Only the public half, whatever else the JWK has.
  const parts = algorithm === "ES256" ? { kty, crv, x, y } : { kty, n, e };
  const key = await importJWK(parts as JWK, algorithm);
  if (key instanceof Uint8Array) throw new TypeError("a key of the JWKS is no public key");
  return isLongEnough(key) ? [kid, key] : undefined;
}

function algorithmOf({ kty, crv, alg }: JWK): SignatureAlgorithm | undefined {
  if (kty === "EC" && crv === "P-256") return "ES256";
  return kty === "RSA" && (alg ?? "RS256") === "RS256" ? "RS256" : undefined;
}

function isLongEnough({ algorithm }: CryptoKey): boolean {
  return !("modulusLength" in algorithm) || Number(algorithm.modulusLength) >= MIN_RSA_BITS;
}
