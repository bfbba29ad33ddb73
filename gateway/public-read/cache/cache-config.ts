import { ConfigError, type Env } from "../../../common/platform/config/env.ts";

/** Bounds in time and size of what the gateway keeps of the commitments service's answers. Times in milliseconds. */
export interface CacheConfig {
  /** `CACHE_MAX_STALE`, 1 s: no answer is older than this while the commitments service can be reached. */
  readonly maxStaleMs: number;
  /** `CACHE_MAX_AGE`, 60 s: with the commitments service down, the last body is served up to this age, then 503. */
  readonly maxAgeMs: number;
  /** `CACHE_IDLE`, 30 s: a sale that nobody has read for this long is no longer kept fresh in the background. */
  readonly idleMs: number;
  /** `CACHE_MAX_BYTES`, 256 MiB: bytes of the held bodies, compressed forms included. */
  readonly maxBytes: number;
  /** `CACHE_MAX_SALES`, 10,000: sales held. */
  readonly maxSales: number;
  /** `NEGATIVE_CACHE_TTL`, 1 s: how long the answer for an unknown sale is held. */
  readonly negativeTtlMs: number;
  /** `NEGATIVE_CACHE_SIZE`, 10,000: unknown sales held. */
  readonly negativeSize: number;
  /** `CACHE_MAX_LOADS`, 256: sales loaded at once; readers of further ones get the last body with its age, else 503. */
  readonly maxLoads: number;
  /** `COMMITMENTS_TIMEOUT`, 2 s: deadline of a call to the commitments service; a read waits for two calls at most. */
  readonly callTimeoutMs: number;
}

/** @throws ConfigError naming the variable */
export function cacheConfig(env: Env): CacheConfig {
  const config = {
    // The lower bound keeps the interval of the background refresh, a share of this, at or above 100 ms.
    maxStaleMs: env.duration("CACHE_MAX_STALE", { default: "1s", min: "250ms", max: "60s" }),
    maxAgeMs: env.duration("CACHE_MAX_AGE", { default: "60s", min: "1s", max: "24h" }),
    idleMs: env.duration("CACHE_IDLE", { default: "30s", min: "1s", max: "1h" }),
    // The lower bound is room for the largest body that the contract allows, as text and compressed.
    maxBytes: env.bytes("CACHE_MAX_BYTES", { default: "256MiB", min: "128MiB", max: "64GiB" }),
    maxSales: env.integer("CACHE_MAX_SALES", { default: 10_000, min: 1, max: 100_000 }),
    negativeTtlMs: env.duration("NEGATIVE_CACHE_TTL", { default: "1s", min: "100ms", max: "60s" }),
    negativeSize: env.integer("NEGATIVE_CACHE_SIZE", { default: 10_000, min: 1, max: 1_000_000 }),
    maxLoads: env.integer("CACHE_MAX_LOADS", { default: 256, min: 1, max: 10_000 }),
    callTimeoutMs: env.duration("COMMITMENTS_TIMEOUT", { default: "2s", min: "50ms", max: "30s" }),
  };
  if (config.maxAgeMs >= config.maxStaleMs) return Object.freeze(config);
  throw new ConfigError("CACHE_MAX_AGE", "expected at least CACHE_MAX_STALE");
}
