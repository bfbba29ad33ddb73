import { ConfigError, type Env } from "../common/platform/config/env.ts";
import { COMMITMENTS_AUDIENCE, INDEXER_AUDIENCE } from "../common/platform/rpc/identity/audiences.ts";
import { type CallerProof, readCallerProof } from "../common/platform/rpc/identity/caller-keys.ts";
import { readRpcCa } from "../common/platform/rpc/identity/rpc-tls.ts";
import { type CacheConfig, cacheConfig } from "./public-read/cache/cache-config.ts";
import { type StreamConfig, streamConfig } from "./streams/stream-config.ts";
import { type AccessLogConfig, accessLogConfig } from "./web/http/access-log.ts";
import { readTrustedProxies, type TrustedProxies } from "./web/http/trusted-proxies.ts";
import { publicBaseUrl } from "./web/sessions/auth-config.ts";

/** The bounds of the HTTP server. Times in milliseconds. */
export interface HttpConfig {
  /** `HTTP_HEADERS_TIMEOUT`, 10 s: time for a request's headers to arrive. */
  readonly headersTimeoutMs: number;
  /** `HTTP_REQUEST_TIMEOUT`, 15 s: time for a whole request to arrive; at least that for the headers. */
  readonly requestTimeoutMs: number;
  /**
   * `HTTP_KEEP_ALIVE`, 65 s: how long an idle connection is kept; longer than the minute that load balancers keep
   * theirs.
   */
  readonly keepAliveMs: number;
  /** `HTTP_SOCKET_TIMEOUT`, 30 s: a connection without any traffic for this long during an answer is closed. */
  readonly socketTimeoutMs: number;
  /** `HTTP_WRITE_TIMEOUT`, 20 s: a connection whose client takes nothing of an answer for this long is cut. */
  readonly writeTimeoutMs: number;
  /** `HTTP_MAX_HEADER_BYTES`, 16 KiB: request line and headers together. */
  readonly maxHeaderBytes: number;
  /** `HTTP_MAX_CONNECTIONS`, 20,000: further connections are closed at once. */
  readonly maxConnections: number;
  /**
   * `HTTP_MAX_PER_ADDRESS`, 1,000: connections of one address, or one IPv6 /64; further ones are closed at once. Those of trusted
   * proxies aren't counted: there it is requests under way for one address.
   */
  readonly maxPerAddress: number;
}

/** Settings of the gateway itself; those of the services that it calls are apart. */
export interface GatewayConfig {
  /** `HOST`, 127.0.0.1. */
  readonly host: string;
  /** `GATEWAY_PORT`, 8080; 0 takes any free one. */
  readonly port: number;
  /** `PUBLIC_PATH_PREFIX`, `svc`: first segment of the public paths. */
  readonly publicPathPrefix: string;
  /** `PUBLIC_BASE_URL`: origin in the sale pages' own links; without it and `AUTH_URL` the pages have no such links. */
  readonly publicBaseUrl: string | undefined;
  /** `PUBLIC_READ_MAX_BODY`, 16 KiB: largest body of a read request. */
  readonly maxRequestBytes: number;
  /** `POSITION_MAX_READS`, 64: wallets looked up at once; further look-ups are refused. */
  readonly maxPositionReads: number;
  /** `POSITION_MAX_PER_ADDRESS`, 8: the same for one address, or one IPv6 /64. */
  readonly maxPositionReadsPerAddress: number;
  /** `IDENTITY_CALLBACKS`, `off`: whether callbacks of the vendor of identity checks are taken. */
  readonly identityCallbacks: boolean;
  readonly cache: CacheConfig;
  readonly http: HttpConfig;
  /** Undefined for none, the default. */
  readonly accessLog: AccessLogConfig | undefined;
  readonly streams: StreamConfig;
  /** `TRUSTED_PROXIES`, none by default: the proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: TrustedProxies;
}

/** The connection to the commitments service, where that is a process of its own. */
export interface CommitmentsUpstreamConfig {
  /** `COMMITMENTS_URL`: its processes. */
  readonly url: readonly string[];
  /** `CALLER_NAME` and `CALLER_KEY`: as whom it calls. */
  readonly caller: CallerProof;
  /** `RPC_CA`: the authorities that its certificate must come from. */
  readonly ca: string | undefined;
  /** `COMMITMENTS_MAX_RESPONSE`, 64 MiB: largest answer accepted; by its contract a sale has about 36 MiB at most. */
  readonly maxResponseBytes: number;
}

/** The connection to the indexer, for the dashboard's checks of contracts. */
export interface IndexerUpstreamConfig {
  /** `INDEXER_URL`: its processes. */
  readonly url: readonly string[];
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
    maxPositionReads: env.integer("POSITION_MAX_READS", { default: 64, min: 1, max: 10_000 }),
    maxPositionReadsPerAddress: env.integer("POSITION_MAX_PER_ADDRESS", { default: 8, min: 1, max: 10_000 }),
    identityCallbacks: env.choice("IDENTITY_CALLBACKS", ["on", "off"], "off") === "on",
    cache: cacheConfig(env),
    http: httpConfig(env),
    accessLog: accessLogConfig(env),
    streams: streamConfig(env),
    trustedProxies: readTrustedProxies(env),
  });
}

/** @throws ConfigError naming the variable */
export function commitmentsUpstreamConfig(env: Env): CommitmentsUpstreamConfig {
  return Object.freeze({
    url: env.urls("COMMITMENTS_URL", undefined, { protocols: ["http:", "https:"] }),
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
  const url = env.optionalUrls("INDEXER_URL", { protocols: ["http:", "https:"] });
  return url && Object.freeze({ url, caller: readCallerProof(env, INDEXER_AUDIENCE), ca: readRpcCa(env) });
}

function pathPrefix(env: Env): string {
  const prefix = env.string("PUBLIC_PATH_PREFIX", "svc");
  if (PATH_SEGMENT.test(prefix)) return prefix;
  throw new ConfigError("PUBLIC_PATH_PREFIX", "expected one path segment of letters, digits and -._~, 64 at most");
}

function httpConfig(env: Env): HttpConfig {
  const config = {
    headersTimeoutMs: env.duration("HTTP_HEADERS_TIMEOUT", { default: "10s", min: "100ms", max: "60s" }),
    requestTimeoutMs: env.duration("HTTP_REQUEST_TIMEOUT", { default: "15s", min: "100ms", max: "120s" }),
    keepAliveMs: env.duration("HTTP_KEEP_ALIVE", { default: "65s", min: "1s", max: "1h" }),
    socketTimeoutMs: env.duration("HTTP_SOCKET_TIMEOUT", { default: "30s", min: "100ms", max: "10m" }),
    writeTimeoutMs: env.duration("HTTP_WRITE_TIMEOUT", { default: "20s", min: "100ms", max: "10m" }),
    maxHeaderBytes: env.bytes("HTTP_MAX_HEADER_BYTES", { default: "16KiB", min: "2KiB", max: "64KiB" }),
    maxConnections: env.integer("HTTP_MAX_CONNECTIONS", { default: 20_000, min: 1, max: 1_000_000 }),
    maxPerAddress: env.integer("HTTP_MAX_PER_ADDRESS", { default: 1_000, min: 1, max: 1_000_000 }),
  };
  if (config.requestTimeoutMs >= config.headersTimeoutMs) return Object.freeze(config);
  throw new ConfigError("HTTP_REQUEST_TIMEOUT", "expected at least HTTP_HEADERS_TIMEOUT");
}
