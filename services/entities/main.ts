import process from "node:process";
import { saleNumber } from "../../common/internal-api/sale-of-call.ts";
import { Env } from "../../common/platform/config/env.ts";
import { storeTasks } from "../../common/platform/db/store-tasks.ts";
import { startAdminServer } from "../../common/platform/lifecycle/admin-server.ts";
import { type OpenLifecycle, runMain } from "../../common/platform/lifecycle/run-main.ts";
import { createLogger, logLevel } from "../../common/platform/log/log.ts";
import { createMetrics } from "../../common/platform/metrics/metrics.ts";
import { type CallObservers, createRpcTransport } from "../../common/platform/rpc/client/client.ts";
import { AUTH_AUDIENCE, COMMITMENTS_AUDIENCE, INDEXER_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { readKnownCallers } from "../../common/platform/rpc/identity/caller-config.ts";
import { readCallerProof } from "../../common/platform/rpc/identity/caller-keys.ts";
import { readRpcCa, readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { openHttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { startTracing } from "../../common/platform/tracing/otlp/start-tracing.ts";
import { tracingConfig } from "../../common/platform/tracing/otlp/tracing-config.ts";
import { entitiesConfig, storeConfig } from "./base/config.ts";
import { CALL_TIMEOUT_MS } from "./base/lifetimes.ts";
import { migrateStore, missingMigrations, openStore } from "./base/open-store.ts";
import { startEntitiesService } from "./entities-service.ts";
import { entitiesActors, type UpstreamTransports, upstreamClients } from "./upstream-clients.ts";

const SERVICE = "entities";
const HTTP = { protocols: ["http:", "https:"] } as const;

const TASKS = storeTasks({
  service: SERVICE,
  variables: process.env,
  open: (env) => openStore(storeConfig(env)),
  migrate: migrateStore,
  missing: missingMigrations,
});

runMain(SERVICE, serve, { tasks: TASKS });

async function serve(openLifecycle: OpenLifecycle): Promise<void> {
  const env = new Env(process.env);
  const config = entitiesConfig(env);
  const host = env.string("HOST", "127.0.0.1");
  const port = env.port("ENTITIES_PORT", 8084);
  const adminPort = env.port("ADMIN_PORT", 9090);
  const transportsOf = upstreamTransports(env);
  const callers = readKnownCallers(env);
  const tls = readRpcTls(env);
  const tracing = tracingConfig(env, SERVICE);
  const drainDelayMs = env.duration("DRAIN_DELAY", { default: "0ms", min: "0ms", max: "60s" });
  const logger = createLogger({ service: SERVICE, level: logLevel(env) });
  const lifecycle = openLifecycle({ logger, drainDelayMs });
  const registry = createMetrics({ service: SERVICE });
  const transports = transportsOf({ registry, logger });
  const { stopping } = lifecycle;
  const listener = await openHttpListener({ host, port, variable: "ENTITIES_PORT", tls, stopping, logger });
  const admin = await startAdminServer({ host, port: adminPort, lifecycle, registry, logger });
  lifecycle.onStop("admin http", () => admin.close());
  await startTracing({ config: tracing, lifecycle, registry, logger });
  const upstreams = upstreamClients(transports);
  const server = await startEntitiesService({
    config,
    listener,
    ...callers,
    upstreams,
    actors: entitiesActors(upstreams, { issuer: config.issuer, registry, logger }),
    lifecycle,
    registry,
    logger,
  });
  lifecycle.markReady();
  logger.info({ host, port: server.port, adminPort: admin.port }, "entities service listens");
}

/** Reads where the other services are. @returns a function that makes the transports to them */
function upstreamTransports(env: Env): (observed: CallObservers) => UpstreamTransports {
  const auth = { baseUrl: env.urls("AUTH_RPC_URL", undefined, HTTP), caller: readCallerProof(env, AUTH_AUDIENCE) };
  const commitments = {
    baseUrl: env.urls("COMMITMENTS_URL", undefined, HTTP),
    caller: readCallerProof(env, COMMITMENTS_AUDIENCE),
  };
  const indexer = {
    baseUrl: env.urls("INDEXER_URL", undefined, HTTP),
    caller: readCallerProof(env, INDEXER_AUDIENCE),
  };
  const ca = readRpcCa(env);
  return (observed) => {
    const shared = { ca, ...observed, defaultTimeoutMs: CALL_TIMEOUT_MS };
    return {
      auth: createRpcTransport({ ...auth, ...shared }),
      commitments: createRpcTransport({ ...commitments, ...shared, affinity: saleNumber }),
      indexer: createRpcTransport({ ...indexer, ...shared }),
    };
  };
}
