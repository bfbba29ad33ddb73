import type { Env } from "../../common/platform/config/env.ts";
import { logLevel } from "../../common/platform/log/log.ts";
import { COMMITMENTS_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { readKnownCallers } from "../../common/platform/rpc/identity/caller-config.ts";
import { readCallerProof } from "../../common/platform/rpc/identity/caller-keys.ts";
import { readRpcCa, readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { tracingConfig } from "../../common/platform/tracing/otlp/tracing-config.ts";
import { indexerConfig } from "./config.ts";

export const SERVICE = "indexer";

/** Reads all settings of the process. @throws ConfigError naming the variable */
export function indexerSettings(env: Env) {
  return {
    config: indexerConfig(env),
    host: env.string("HOST", "127.0.0.1"),
    port: env.port("INDEXER_PORT", 8082),
    adminPort: env.port("ADMIN_PORT", 9090),
    commitments: commitmentsUpstream(env),
    defaultTimeoutMs: env.duration("APPLY_TIMEOUT", { default: "30s", min: "1s", max: "60s" }),
    callers: readKnownCallers(env),
    tls: readRpcTls(env),
    ca: readRpcCa(env),
    tracing: tracingConfig(env, SERVICE),
    drainDelayMs: env.duration("DRAIN_DELAY", { default: "0ms", min: "0ms", max: "60s" }),
    level: logLevel(env),
  };
}

/** Reads where the commitments service is, and as whom to call it. @throws ConfigError */
export function commitmentsUpstream(env: Env) {
  return {
    baseUrl: env.urls("COMMITMENTS_URL", undefined, { protocols: ["http:", "https:"] }),
    caller: readCallerProof(env, COMMITMENTS_AUDIENCE),
  };
}
