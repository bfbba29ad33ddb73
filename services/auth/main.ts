import process from "node:process";
import { createClient } from "@connectrpc/connect";
import { saleNumber } from "../../common/internal-api/sale-of-call.ts";
import { checkTasks } from "../../common/platform/checks/check-task.ts";
import { Env } from "../../common/platform/config/env.ts";
import { requireWritableFolder } from "../../common/platform/config/writable-folder.ts";
import { storeTasks } from "../../common/platform/db/store-tasks.ts";
import { startAdminServer } from "../../common/platform/lifecycle/admin-server.ts";
import { type OpenLifecycle, runMain } from "../../common/platform/lifecycle/run-main.ts";
import { createLogger } from "../../common/platform/log/log.ts";
import { createMetrics } from "../../common/platform/metrics/metrics.ts";
import { createRpcTransport } from "../../common/platform/rpc/client/client.ts";
import { openHttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { startTracing } from "../../common/platform/tracing/otlp/start-tracing.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { EntityService } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { startAuthService } from "./auth-service.ts";
import { storeConfig } from "./base/config.ts";
import { migrateStore, missingMigrations, openStore } from "./base/open-store.ts";
import { authSettings, SERVICE } from "./settings.ts";

/** The default timeout of a call to another service. */
const CALL_TIMEOUT_MS = 5_000;

const TASKS = [
  ...storeTasks({
    service: SERVICE,
    variables: process.env,
    open: (env) => openStore(storeConfig(env)),
    migrate: migrateStore,
    missing: missingMigrations,
  }),
  ...checkTasks(process.env, {
    checks: async () => (await import("./checks.ts")).authChecks,
    migrationChecks: async () => (await import("./checks.ts")).authMigrationChecks,
  }),
];

runMain(SERVICE, serve, { tasks: TASKS });

async function serve(openLifecycle: OpenLifecycle): Promise<void> {
  const { config, host, port, adminPort, callers, tls, tracing, ca, level, drainDelayMs, ...upstreams } = authSettings(
    new Env(process.env),
  );
  const logger = createLogger({ service: SERVICE, level });
  const lifecycle = openLifecycle({ logger, drainDelayMs });
  const registry = createMetrics({ service: SERVICE });
  const shared = { ca, registry, logger, defaultTimeoutMs: CALL_TIMEOUT_MS };
  const transport = createRpcTransport({ ...shared, ...upstreams.commitments, affinity: saleNumber });
  const sales = createClient(SaleService, transport);
  const entities =
    upstreams.entities && createClient(EntityService, createRpcTransport({ ...shared, ...upstreams.entities }));
  const { stopping } = lifecycle;
  const listener = await openHttpListener({ host, port, variable: "AUTH_PORT", tls, stopping, logger });
  const admin = await startAdminServer({ host, port: adminPort, lifecycle, registry, logger });
  lifecycle.onStop("admin http", () => admin.close());
  if (config.mail.folder !== undefined) requireWritableFolder("MAIL_DIR", config.mail.folder);
  await startTracing({ config: tracing, lifecycle, registry, logger });
  const server = await startAuthService({ config, listener, ...callers, sales, entities, lifecycle, registry, logger });
  lifecycle.markReady();
  logger.info({ host, port: server.port, adminPort: admin.port }, "auth service listens");
}
