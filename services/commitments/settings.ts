import { natsConfig } from "../../common/platform/bus/config.ts";
import type { Env } from "../../common/platform/config/env.ts";
import { logLevel } from "../../common/platform/log/log.ts";
import { readKnownCallers } from "../../common/platform/rpc/identity/caller-config.ts";
import { readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { tracingConfig } from "../../common/platform/tracing/otlp/tracing-config.ts";
import { authUpstreamConfig, commitmentsConfig, entitiesUpstreamConfig, indexerUpstreamConfig } from "./config.ts";

export const SERVICE = "commitments";

/** Reads all settings of the process. @throws ConfigError naming the variable */
export function commitmentsSettings(env: Env) {
  return {
    config: commitmentsConfig(env),
    host: env.string("HOST", "127.0.0.1"),
    port: env.port("COMMITMENTS_PORT", 8081),
    adminPort: env.port("ADMIN_PORT", 9090),
    callers: readKnownCallers(env),
    tls: readRpcTls(env),
    auth: authUpstreamConfig(env),
    indexer: indexerUpstreamConfig(env),
    entities: entitiesUpstreamConfig(env),
    nats: natsConfig(env),
    tracing: tracingConfig(env, SERVICE),
    drainDelayMs: env.duration("DRAIN_DELAY", { default: "0ms", min: "0ms", max: "60s" }),
    level: logLevel(env),
  };
}
