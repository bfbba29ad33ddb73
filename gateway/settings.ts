import { natsConfig } from "../common/platform/bus/config.ts";
import type { Env } from "../common/platform/config/env.ts";
import { logLevel } from "../common/platform/log/log.ts";
import { tracingConfig } from "../common/platform/tracing/otlp/tracing-config.ts";
import { commitmentsUpstreamConfig, gatewayConfig, indexerUpstreamConfig } from "./config.ts";
import { statusPortConfig } from "./status-port.ts";
import { authSurfaceConfig, authUpstreamConfig, entitiesUpstreamConfig } from "./web/sessions/auth-config.ts";

export const SERVICE = "gateway";

/** Reads all settings of the process. @throws ConfigError naming the variable */
export function gatewaySettings(env: Env) {
  const auth = authUpstreamConfig(env);
  return {
    config: gatewayConfig(env),
    commitments: commitmentsUpstreamConfig(env),
    indexer: indexerUpstreamConfig(env),
    auth: auth && { upstream: auth, surface: authSurfaceConfig(env) },
    entities: entitiesUpstreamConfig(env),
    nats: natsConfig(env),
    status: statusPortConfig(env),
    adminPort: env.port("ADMIN_PORT", 9090),
    tracing: tracingConfig(env, SERVICE),
    drainDelayMs: env.duration("DRAIN_DELAY", { default: "0ms", min: "0ms", max: "60s" }),
    level: logLevel(env),
  };
}
