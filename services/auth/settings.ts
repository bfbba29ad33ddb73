import type { Env } from "../../common/platform/config/env.ts";
import { logLevel } from "../../common/platform/log/log.ts";
import { COMMITMENTS_AUDIENCE, ENTITIES_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { readKnownCallers } from "../../common/platform/rpc/identity/caller-config.ts";
import { type CallerProof, readCallerProof } from "../../common/platform/rpc/identity/caller-keys.ts";
import { readRpcCa, readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { tracingConfig } from "../../common/platform/tracing/otlp/tracing-config.ts";
import { authConfig } from "./base/config.ts";

export const SERVICE = "auth";

const HTTP = { protocols: ["http:", "https:"] } as const;

/** A service that this one calls, and as whom. */
export interface AuthUpstream {
  readonly baseUrl: readonly string[];
  readonly caller: CallerProof;
}

/** Reads all settings of the process. @throws ConfigError naming the variable */
export function authSettings(env: Env) {
  return {
    config: authConfig(env),
    host: env.string("HOST", "127.0.0.1"),
    port: env.port("AUTH_PORT", 8083),
    adminPort: env.port("ADMIN_PORT", 9090),
    commitments: commitmentsUpstream(env),
    entities: entitiesUpstream(env),
    callers: readKnownCallers(env),
    tls: readRpcTls(env),
    ca: readRpcCa(env),
    tracing: tracingConfig(env, SERVICE),
    drainDelayMs: env.duration("DRAIN_DELAY", { default: "0ms", min: "0ms", max: "60s" }),
    level: logLevel(env),
  };
}

export function commitmentsUpstream(env: Env): AuthUpstream {
  return { baseUrl: env.urls("COMMITMENTS_URL", undefined, HTTP), caller: readCallerProof(env, COMMITMENTS_AUDIENCE) };
}

/** Reads where the entities service is, and as whom to call it; undefined without `ENTITIES_URL`. @throws ConfigError */
export function entitiesUpstream(env: Env): AuthUpstream | undefined {
  const baseUrl = env.optionalUrls("ENTITIES_URL", HTTP);
  return baseUrl && { baseUrl, caller: readCallerProof(env, ENTITIES_AUDIENCE) };
}
