import type { Env } from "../../common/platform/config/env.ts";
import { logLevel } from "../../common/platform/log/log.ts";
import { AUTH_AUDIENCE, COMMITMENTS_AUDIENCE, INDEXER_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { readKnownCallers } from "../../common/platform/rpc/identity/caller-config.ts";
import { readCallerProof } from "../../common/platform/rpc/identity/caller-keys.ts";
import { readRpcCa, readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { tracingConfig } from "../../common/platform/tracing/otlp/tracing-config.ts";
import { entitiesConfig } from "./base/config.ts";

export const SERVICE = "entities";

const HTTP = { protocols: ["http:", "https:"] } as const;

/** The services that this one calls: the setting with the URLs of each, and its audience. */
const UPSTREAMS = {
  auth: ["AUTH_RPC_URL", AUTH_AUDIENCE],
  commitments: ["COMMITMENTS_URL", COMMITMENTS_AUDIENCE],
  indexer: ["INDEXER_URL", INDEXER_AUDIENCE],
} as const;

/** Reads where a service is, and as whom to call it. @throws ConfigError */
export function entitiesUpstream(env: Env, name: keyof typeof UPSTREAMS) {
  const [variable, audience] = UPSTREAMS[name];
  return { baseUrl: env.urls(variable, undefined, HTTP), caller: readCallerProof(env, audience) };
}

/** Reads all settings of the process. @throws ConfigError naming the variable */
export function entitiesSettings(env: Env) {
  return {
    config: entitiesConfig(env),
    host: env.string("HOST", "127.0.0.1"),
    port: env.port("ENTITIES_PORT", 8084),
    adminPort: env.port("ADMIN_PORT", 9090),
    auth: entitiesUpstream(env, "auth"),
    commitments: entitiesUpstream(env, "commitments"),
    indexer: entitiesUpstream(env, "indexer"),
    callers: readKnownCallers(env),
    tls: readRpcTls(env),
    ca: readRpcCa(env),
    tracing: tracingConfig(env, SERVICE),
    drainDelayMs: env.duration("DRAIN_DELAY", { default: "0ms", min: "0ms", max: "60s" }),
    level: logLevel(env),
  };
}
