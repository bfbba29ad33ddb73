import { checkDependentSettings } from "../../../common/platform/config/dependent-settings.ts";
import { ConfigError, type Env } from "../../../common/platform/config/env.ts";
import { issuerOf } from "../../../common/platform/config/issuer.ts";
import { AUTH_AUDIENCE, ENTITIES_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { type CallerProof, readCallerProof } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { readRpcCa } from "../../../common/platform/rpc/identity/rpc-tls.ts";
import { readTrustedProxies, type TrustedProxies } from "../http/trusted-proxies.ts";
import { readStablecoins, type StablecoinAddresses } from "./stablecoins-config.ts";

/** Settings of sign-in and OAuth towards browsers and applications. */
export interface AuthSurfaceConfig {
  /** `AUTH_URL`: origin of the pages, and the issuer. */
  readonly authUrl: string;
  /** `PUBLIC_BASE_URL`, `AUTH_URL` by default: origin of the public read. */
  readonly publicBaseUrl: string;
  /** `TRUSTED_PROXIES`, none by default. */
  readonly trustedProxies: TrustedProxies;
  /** `STABLECOINS`, none by default: the stablecoins that founders may choose by name. */
  readonly stablecoins: StablecoinAddresses;
}

/** The connection to the auth service, where that is a process of its own. */
export interface AuthUpstreamConfig {
  /** `AUTH_RPC_URL`: its processes. */
  readonly url: readonly string[];
  readonly caller: CallerProof;
  /** `RPC_CA`: the authorities that its certificate must come from. */
  readonly ca: string | undefined;
  /** `AUTH_TIMEOUT`, 10 s: deadline of a call. In milliseconds. */
  readonly timeoutMs: number;
}

/** The connection to the entities service, where that is a process of its own. */
export interface EntitiesUpstreamConfig {
  /** `ENTITIES_URL`: its processes. */
  readonly url: readonly string[];
  readonly caller: CallerProof;
  /** `RPC_CA`: the authorities that its certificate must come from. */
  readonly ca: string | undefined;
}

/** Defaults that the embedded process gives. */
export interface AuthSurfaceDefaults {
  readonly authUrl?: string;
}

/** @throws ConfigError naming the variable */
export function authSurfaceConfig(env: Env, defaults: AuthSurfaceDefaults = {}): AuthSurfaceConfig {
  const authUrl = issuerOf(env, defaults.authUrl);
  return Object.freeze({
    authUrl,
    publicBaseUrl: publicBaseUrl(env) ?? authUrl,
    trustedProxies: readTrustedProxies(env),
    stablecoins: readStablecoins(env),
  });
}

/**
 * Returns the connection; undefined without `AUTH_RPC_URL`, where the gateway serves the public read only.
 *
 * @throws ConfigError naming the variable
 */
export function authUpstreamConfig(env: Env): AuthUpstreamConfig | undefined {
  const url = env.optionalUrls("AUTH_RPC_URL", { protocols: ["http:", "https:"] });
  checkDependentSettings(env, "AUTH_RPC_URL", ["AUTH_URL", "AUTH_TIMEOUT"]);
  if (url === undefined) return undefined;
  return Object.freeze({
    url,
    caller: readCallerProof(env, AUTH_AUDIENCE),
    ca: readRpcCa(env),
    timeoutMs: env.duration("AUTH_TIMEOUT", { default: "10s", min: "100ms", max: "25s" }),
  });
}

/**
 * Returns the connection; undefined without `ENTITIES_URL`, where nobody takes part in a sale through this gateway.
 *
 * @throws ConfigError naming the variable
 */
export function entitiesUpstreamConfig(env: Env): EntitiesUpstreamConfig | undefined {
  const url = env.optionalUrls("ENTITIES_URL", { protocols: ["http:", "https:"] });
  checkDependentSettings(env, "AUTH_RPC_URL", ["ENTITIES_URL"]);
  checkDependentSettings(env, "ENTITIES_URL", ["IDENTITY_CALLBACKS"]);
  return url && Object.freeze({ url, caller: readCallerProof(env, ENTITIES_AUDIENCE), ca: readRpcCa(env) });
}

/** Returns the origin of sign-in, or undefined if the public read has the same one. */
export function ownOriginOf({
  authUrl,
  publicBaseUrl,
}: Pick<AuthSurfaceConfig, "authUrl" | "publicBaseUrl">): string | undefined {
  return authUrl === publicBaseUrl ? undefined : authUrl;
}

/**
 * `PUBLIC_BASE_URL`: origin of the public read and of the sale pages.
 *
 * @throws ConfigError naming the variable
 */
export function publicBaseUrl(env: Env): string | undefined {
  const url = env.optionalUrl("PUBLIC_BASE_URL", { protocols: ["http:", "https:"] });
  if (url === undefined || url.href === `${url.origin}/`) return url?.origin;
  throw new ConfigError("PUBLIC_BASE_URL", "expected an origin without a path");
}
