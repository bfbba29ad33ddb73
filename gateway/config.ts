import { ConfigError, type Env } from "../services/shared/config/env.ts";
import { COMMITMENTS_AUDIENCE, INDEXER_AUDIENCE } from "../services/shared/rpc/identity/audiences.ts";
import { type CallerProof, readCallerProof } from "../services/shared/rpc/identity/callers.ts";
import { readRpcCa } from "../services/shared/rpc/identity/rpc-tls.ts";
import type { StreamConfig } from "./streams/stream-limits.ts";
import { publicBaseUrl } from "./web/http/public-base-url.ts";
import { readTrustedProxies, type TrustedProxies } from "./web/http/trusted-proxies.ts";

/** How long and how much the gateway remembers of what the commitments service answered. Times in milliseconds. */
export interface CacheConfig {
  /** `CACHE_MAX_STALE`, 1 s: no answer is older than this while the commitments service can be reached. */
  readonly maxStaleMs: number;
  /** `CACHE_MAX_AGE`, 60 s: with the commitments service down, the last body is served up to this age, then 503. */
  readonly maxAgeMs: number;
  /** `CACHE_IDLE`, 30 s: a sale that nobody has read for this long is no longer kept fresh in the background. */
  readonly idleMs: number;
  /** `CACHE_MAX_BYTES`, 256 MiB: bodies held, their compressed form included. */
  readonly maxBytes: number;
  /** `CACHE_MAX_SALES`, 10,000: sales held. */
  readonly maxSales: number;
  /** `NEGATIVE_CACHE_TTL`, 1 s: how long an unknown sale is remembered as unknown. */
  readonly negativeTtlMs: number;
  /** `NEGATIVE_CACHE_SIZE`, 10,000: unknown sales remembered. */
  readonly negativeSize: number;
  /** `CACHE_MAX_LOADS`, 256: sales loaded at once; readers of more get the last body with its age, else 503. */
  readonly maxLoads: number;
  /** `COMMITMENTS_TIMEOUT`, 2 s: deadline of a call to the commitments service; a read waits for two at most. */
  readonly callTimeoutMs: number;
}

/** The bounds of the HTTP server. Times in milliseconds. */
export interface HttpConfig {
  /** `HTTP_HEADERS_TIMEOUT`, 10 s: for a request's headers to arrive. */
  readonly headersTimeoutMs: number;
  /** `HTTP_REQUEST_TIMEOUT`, 15 s: for a whole request to arrive; not below the headers' time. */
  readonly requestTimeoutMs: number;
  /** `HTTP_KEEP_ALIVE`, 65 s: an idle connection is kept; longer than the minute that load balancers keep theirs. */
  readonly keepAliveMs: number;
  /** `HTTP_SOCKET_TIMEOUT`, 30 s: a connection on which nothing moves while an answer is under way is closed. */
  readonly socketTimeoutMs: number;
  /** `HTTP_MAX_HEADER_BYTES`, 16 KiB: request line and headers together. */
  readonly maxHeaderBytes: number;
  /** `HTTP_MAX_CONNECTIONS`, 20,000: more are closed at once. */
  readonly maxConnections: number;
}

/** What the gateway needs besides the way to the commitments service. */
export interface GatewayConfig {
  /** `HOST`, 127.0.0.1. */
  readonly host: string;
  /** `GATEWAY_PORT`, 8080; 0 takes any free one. */
  readonly port: number;
  /** `PUBLIC_PATH_PREFIX`, `svc`: first segment of the public paths. */
  readonly publicPathPrefix: string;
  /** `PUBLIC_BASE_URL`: where the sale pages say that they are; without it, and without `AUTH_URL`, they don't say. */
  readonly publicBaseUrl: string | undefined;
  /** `PUBLIC_READ_MAX_BODY`, 16 KiB: body of a read request. */
  readonly maxRequestBytes: number;
  readonly cache: CacheConfig;
  readonly http: HttpConfig;
  readonly streams: StreamConfig;
  /** `TRUSTED_PROXIES`, none by default: who may say from which address a request comes. */
  readonly trustedProxies: TrustedProxies;
}

/** How the gateway reaches the commitments service, where that is a process of its own. */
export interface CommitmentsUpstreamConfig {
  /** `COMMITMENTS_URL`. */
  readonly url: string;
  /** `CALLER_NAME` and `CALLER_KEY`: as whom it calls. */
  readonly caller: CallerProof;
  /** `RPC_CA`: the authorities that its certificate must come from. */
  readonly ca: string | undefined;
  /** `COMMITMENTS_MAX_RESPONSE`, 64 MiB: largest answer accepted; by its contract a sale has about 36 MiB at most. */
  readonly maxResponseBytes: number;
}

/** How the gateway reaches the indexer, for the dashboard's checks of contracts. */
export interface IndexerUpstreamConfig {
  /** `INDEXER_URL`. */
  readonly url: string;
  readonly caller: CallerProof;
  /** `RPC_CA`: the authorities that its certificate must come from. */
  readonly ca: string | undefined;
}

/** RFC 3986 unreserved characters only, so that a path means the same to every proxy; not `.` or `..`. */
const PATH_SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$/;

/** @throws ConfigError naming the variable */
export function gatewayConfig(env: Env): GatewayConfig {
  return Object.freeze({
    host: env.string("HOST", "127.0.0.1"),
    port: env.port("GATEWAY_PORT", 8080),
    publicPathPrefix: pathPrefix(env),
    publicBaseUrl: publicBaseUrl(env),
    maxRequestBytes: env.bytes("PUBLIC_READ_MAX_BODY", { default: "16KiB", min: "128", max: "1MiB" }),
    cache: cacheConfig(env),
    http: httpConfig(env),
    streams: streamConfig(env),
    trustedProxies: readTrustedProxies(env),
  });
}

/** @throws ConfigError naming the variable */
export function commitmentsUpstreamConfig(env: Env): CommitmentsUpstreamConfig {
  return Object.freeze({
    url: env.url("COMMITMENTS_URL", undefined, { protocols: ["http:", "https:"] }).href,
    caller: readCallerProof(env, COMMITMENTS_AUDIENCE),
    ca: readRpcCa(env),
    maxResponseBytes: env.bytes("COMMITMENTS_MAX_RESPONSE", { default: "64MiB", min: "1MiB", max: "256MiB" }),
  });
}

/**
 * Undefined without `INDEXER_URL`: contracts can't be checked from the dashboard then.
 *
 * @throws ConfigError naming the variable
 */
export function indexerUpstreamConfig(env: Env): IndexerUpstreamConfig | undefined {
  const url = env.optionalUrl("INDEXER_URL", { protocols: ["http:", "https:"] });
  return url && Object.freeze({ url: url.href, caller: readCallerProof(env, INDEXER_AUDIENCE), ca: readRpcCa(env) });
}

function pathPrefix(env: Env): string {
  const prefix = env.string("PUBLIC_PATH_PREFIX", "svc");
  if (PATH_SEGMENT.test(prefix)) return prefix;
  throw new ConfigError("PUBLIC_PATH_PREFIX", "expected one path segment of letters, digits and -._~, 64 at most");
}

function cacheConfig(env: Env): CacheConfig {
  const config = {
    // The lower bound keeps the background refresh, which runs at a part of it, at or above 100 ms.
    maxStaleMs: env.duration("CACHE_MAX_STALE", { default: "1s", min: "250ms", max: "60s" }),
    maxAgeMs: env.duration("CACHE_MAX_AGE", { default: "60s", min: "1s", max: "24h" }),
    idleMs: env.duration("CACHE_IDLE", { default: "30s", min: "1s", max: "1h" }),
    // The lower bound holds the largest body that the contract allows twice, as text and compressed.
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

function httpConfig(env: Env): HttpConfig {
  const config = {
    headersTimeoutMs: env.duration("HTTP_HEADERS_TIMEOUT", { default: "10s", min: "100ms", max: "60s" }),
    requestTimeoutMs: env.duration("HTTP_REQUEST_TIMEOUT", { default: "15s", min: "100ms", max: "120s" }),
    keepAliveMs: env.duration("HTTP_KEEP_ALIVE", { default: "65s", min: "1s", max: "1h" }),
    socketTimeoutMs: env.duration("HTTP_SOCKET_TIMEOUT", { default: "30s", min: "100ms", max: "10m" }),
    maxHeaderBytes: env.bytes("HTTP_MAX_HEADER_BYTES", { default: "16KiB", min: "2KiB", max: "64KiB" }),
    maxConnections: env.integer("HTTP_MAX_CONNECTIONS", { default: 20_000, min: 1, max: 1_000_000 }),
  };
  if (config.requestTimeoutMs >= config.headersTimeoutMs) return Object.freeze(config);
  throw new ConfigError("HTTP_REQUEST_TIMEOUT", "expected at least HTTP_HEADERS_TIMEOUT");
}

function streamConfig(env: Env): StreamConfig {
  return Object.freeze({
    maxStreams: env.integer("STREAM_MAX", { default: 15_000, min: 0, max: 1_000_000 }),
    maxPerAddress: env.integer("STREAM_MAX_PER_ADDRESS", { default: 1_000, min: 1, max: 1_000_000 }),
    maxBufferBytes: env.bytes("STREAM_MAX_BUFFER", { default: "256KiB", min: "16KiB", max: "64MiB" }),
  });
}
