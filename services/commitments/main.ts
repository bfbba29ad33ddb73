import { createClient } from "@connectrpc/connect";
import { COMMITMENTS_STREAM } from "../../common/internal-api/commitment-subjects.ts";
import { natsConfig } from "../../common/platform/bus/config.ts";
import { openBus } from "../../common/platform/bus/open-bus.ts";
import { Env } from "../../common/platform/config/env.ts";
import { storeTasks } from "../../common/platform/db/store-tasks.ts";
import { startAdminServer } from "../../common/platform/lifecycle/admin-server.ts";
import { type OpenLifecycle, runMain } from "../../common/platform/lifecycle/run-main.ts";
import { createLogger, logLevel } from "../../common/platform/log/log.ts";
import { createMetrics } from "../../common/platform/metrics/metrics.ts";
import { type CallObservers, createRpcTransport } from "../../common/platform/rpc/client/client.ts";
import { readKnownCallers } from "../../common/platform/rpc/identity/caller-config.ts";
import { readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { openHttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { startTracing } from "../../common/platform/tracing/otlp/start-tracing.ts";
import { tracingConfig } from "../../common/platform/tracing/otlp/tracing-config.ts";
import { PermitService } from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { IndexerService } from "../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { authUpstream, type CommitmentsAuth } from "./auth-upstream.ts";
import { AUTH_TIMEOUT_MS, CHECK_TIMEOUT_MS, ENTITIES_TIMEOUT_MS } from "./base/domain/lifetimes.ts";
import { startCommitmentsService } from "./commitments-service.ts";
import {
  type AuthUpstreamConfig,
  authUpstreamConfig,
  commitmentsConfig,
  type EntitiesUpstreamConfig,
  entitiesUpstreamConfig,
  type IndexerUpstreamConfig,
  indexerUpstreamConfig,
} from "./config.ts";
import { migrateStore, missingMigrations, openStore } from "./open-store.ts";
import type { PermitsClient } from "./sales/entities-sale-permits.ts";
import type { IndexerClient } from "./sales/indexer-source-checker.ts";

const SERVICE = "commitments";

const TASKS = storeTasks({
  service: SERVICE,
  variables: process.env,
  open: (env) => openStore(commitmentsConfig(env).store),
  migrate: migrateStore,
  missing: missingMigrations,
});

runMain(SERVICE, serve, { tasks: TASKS });

async function serve(openLifecycle: OpenLifecycle): Promise<void> {
  const env = new Env(process.env);
  const config = commitmentsConfig(env);
  const host = env.string("HOST", "127.0.0.1");
  const port = env.port("COMMITMENTS_PORT", 8081);
  const adminPort = env.port("ADMIN_PORT", 9090);
  const callers = readKnownCallers(env);
  const tls = readRpcTls(env);
  const upstream = authUpstreamConfig(env);
  const indexerUpstream = indexerUpstreamConfig(env);
  const entitiesUpstream = entitiesUpstreamConfig(env);
  const nats = natsConfig(env);
  const tracing = tracingConfig(env, SERVICE);
  const drainDelayMs = env.duration("DRAIN_DELAY", { default: "0ms", min: "0ms", max: "60s" });
  const logger = createLogger({ service: SERVICE, level: logLevel(env) });
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
    ...(upstream && { auth: authOf(upstream, observed) }),
    ...(indexerUpstream && { indexer: indexerOf(indexerUpstream, observed) }),
    ...(entitiesUpstream && { permits: permitsOf(entitiesUpstream, observed) }),
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
