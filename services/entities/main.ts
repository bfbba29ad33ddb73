import process from "node:process";
import { saleNumber } from "../../common/internal-api/sale-of-call.ts";
import { checkTasks } from "../../common/platform/checks/check-task.ts";
import { Env } from "../../common/platform/config/env.ts";
import { storeTasks } from "../../common/platform/db/store-tasks.ts";
import { startAdminServer } from "../../common/platform/lifecycle/admin-server.ts";
import { type OpenLifecycle, runMain } from "../../common/platform/lifecycle/run-main.ts";
import { createLogger } from "../../common/platform/log/log.ts";
import { createMetrics } from "../../common/platform/metrics/metrics.ts";
import { type CallObservers, createRpcTransport } from "../../common/platform/rpc/client/client.ts";
import { openHttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { startTracing } from "../../common/platform/tracing/otlp/start-tracing.ts";
import { storeConfig } from "./base/config.ts";
import { CALL_TIMEOUT_MS } from "./base/lifetimes.ts";
import { migrateStore, missingMigrations, openStore } from "./base/open-store.ts";
import { startEntitiesService } from "./entities-service.ts";
import { entitiesSettings, SERVICE } from "./settings.ts";
import { entitiesActors, type UpstreamTransports, upstreamClients } from "./upstream-clients.ts";

const TASKS = [
  ...storeTasks({
    service: SERVICE,
    variables: process.env,
    open: (env) => openStore(storeConfig(env)),
    migrate: migrateStore,
    missing: missingMigrations,
  }),
  ...checkTasks(process.env, {
    checks: async () => (await import("./checks.ts")).entitiesChecks,
    migrationChecks: async () => (await import("./checks.ts")).entitiesMigrationChecks,
  }),
];

runMain(SERVICE, serve, { tasks: TASKS });

async function serve(openLifecycle: OpenLifecycle): Promise<void> {
  const settings = entitiesSettings(new Env(process.env));
  const { config, host, port, adminPort, callers, tls, tracing, drainDelayMs, level } = settings;
  const logger = createLogger({ service: SERVICE, level });
  const lifecycle = openLifecycle({ logger, drainDelayMs });
  const registry = createMetrics({ service: SERVICE });
  const transports = upstreamTransports(settings, { registry, logger });
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

function upstreamTransports(
  { ca, auth, commitments, indexer }: ReturnType<typeof entitiesSettings>,
  observed: CallObservers,
): UpstreamTransports {
  const shared = { ca, ...observed, defaultTimeoutMs: CALL_TIMEOUT_MS };
  return {
    auth: createRpcTransport({ ...auth, ...shared }),
    commitments: createRpcTransport({ ...commitments, ...shared, affinity: saleNumber }),
    indexer: createRpcTransport({ ...indexer, ...shared }),
  };
}
