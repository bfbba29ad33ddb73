import { createClient } from "@connectrpc/connect";
import { COMMITMENTS_STREAM } from "../../common/internal-api/commitment-subjects.ts";
import { openBus } from "../../common/platform/bus/open-bus.ts";
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
import { PermitService } from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { IndexerService } from "../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { authUpstream, type CommitmentsAuth } from "./auth-upstream.ts";
import { AUTH_TIMEOUT_MS, CHECK_TIMEOUT_MS, ENTITIES_TIMEOUT_MS } from "./base/domain/lifetimes.ts";
import { startCommitmentsService } from "./commitments-service.ts";
import {
  type AuthUpstreamConfig,
  commitmentsConfig,
  type EntitiesUpstreamConfig,
  type IndexerUpstreamConfig,
} from "./config.ts";
import { migrateStore, missingMigrations, openStore } from "./open-store.ts";
import type { PermitsClient } from "./sales/entities-sale-permits.ts";
import type { IndexerClient } from "./sales/indexer-source-checker.ts";
import { commitmentsSettings, SERVICE } from "./settings.ts";

const TASKS = [
  ...storeTasks({
    service: SERVICE,
    variables: process.env,
    open: (env) => openStore(commitmentsConfig(env).store),
    migrate: migrateStore,
    missing: missingMigrations,
  }),
  ...checkTasks(process.env, {
    checks: async () => (await import("./checks.ts")).commitmentsChecks,
    migrationChecks: async () => (await import("./checks.ts")).commitmentsMigrationChecks,
  }),
];

runMain(SERVICE, serve, { tasks: TASKS });

async function serve(openLifecycle: OpenLifecycle): Promise<void> {
  const { config, host, port, adminPort, callers, tls, nats, tracing, drainDelayMs, level, ...upstreams } =
    commitmentsSettings(new Env(process.env));
  const logger = createLogger({ service: SERVICE, level });
  const lifecycle = openLifecycle({ logger, drainDelayMs });
  const registry = createMetrics({ service: SERVICE });
  const { stopping } = lifecycle;
  const listener = await openHttpListener({ host, port, variable: "COMMITMENTS_PORT", tls, stopping, logger });
  const admin = await startAdminServer({ host, port: adminPort, lifecycle, registry, logger });
  lifecycle.onStop("admin http", () => admin.close());
  await startTracing({ config: tracing, lifecycle, registry, logger });
  const bus = await openBus({ nats, stream: COMMITMENTS_STREAM, name: SERVICE, logger, registry });
  lifecycle.onStop("bus", (deadline) => bus.close(deadline));
  const shared = { config, listener, ...callers, bus, lifecycle, registry, logger };
  const observed = { registry, logger };
  const server = await startCommitmentsService({
    ...shared,
    ...(upstreams.auth && { auth: authOf(upstreams.auth, observed) }),
    ...(upstreams.indexer && { indexer: indexerOf(upstreams.indexer, observed) }),
    ...(upstreams.entities && { permits: permitsOf(upstreams.entities, observed) }),
  });
  lifecycle.markReady();
  logger.info({ host, port: server.port, adminPort: admin.port }, "commitments service listens");
}

function indexerOf({ url, caller, ca }: IndexerUpstreamConfig, observed: CallObservers): IndexerClient {
  const defaultTimeoutMs = CHECK_TIMEOUT_MS;
  return createClient(IndexerService, createRpcTransport({ baseUrl: url, caller, ca, ...observed, defaultTimeoutMs }));
}

function permitsOf({ url, caller, ca }: EntitiesUpstreamConfig, observed: CallObservers): PermitsClient {
  const defaultTimeoutMs = ENTITIES_TIMEOUT_MS;
  return createClient(PermitService, createRpcTransport({ baseUrl: url, caller, ca, ...observed, defaultTimeoutMs }));
}

function authOf({ url, caller, ca, issuer }: AuthUpstreamConfig, observed: CallObservers): CommitmentsAuth {
  const transport = createRpcTransport({ baseUrl: url, caller, ca, ...observed, defaultTimeoutMs: AUTH_TIMEOUT_MS });
  return authUpstream({ transport, issuer, ...observed });
}
