import process from "node:process";
import { createClient } from "@connectrpc/connect";
import { saleNumber } from "../../common/internal-api/sale-of-call.ts";
import { Env } from "../../common/platform/config/env.ts";
import { requireWritableFolder } from "../../common/platform/config/writable-folder.ts";
import { storeTasks } from "../../common/platform/db/store-tasks.ts";
import { startAdminServer } from "../../common/platform/lifecycle/admin-server.ts";
import { type OpenLifecycle, runMain } from "../../common/platform/lifecycle/run-main.ts";
import { createLogger, logLevel } from "../../common/platform/log/log.ts";
import { createMetrics } from "../../common/platform/metrics/metrics.ts";
import { createRpcTransport } from "../../common/platform/rpc/client/client.ts";
import { COMMITMENTS_AUDIENCE, ENTITIES_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { readKnownCallers } from "../../common/platform/rpc/identity/caller-config.ts";
import { type CallerProof, readCallerProof } from "../../common/platform/rpc/identity/caller-keys.ts";
import { readRpcCa, readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { openHttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { startTracing } from "../../common/platform/tracing/otlp/start-tracing.ts";
import { tracingConfig } from "../../common/platform/tracing/otlp/tracing-config.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { EntityService } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { startAuthService } from "./auth-service.ts";
import { authConfig, storeConfig } from "./base/config.ts";
import { migrateStore, missingMigrations, openStore } from "./base/open-store.ts";

const SERVICE = "auth";
/** The default timeout of a call to another service. */
const CALL_TIMEOUT_MS = 5_000;

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
  const config = authConfig(env);
  const host = env.string("HOST", "127.0.0.1");
  const port = env.port("AUTH_PORT", 8083);
  const adminPort = env.port("ADMIN_PORT", 9090);
  const baseUrl = env.urls("COMMITMENTS_URL", undefined, { protocols: ["http:", "https:"] });
  const caller = readCallerProof(env, COMMITMENTS_AUDIENCE);
  const entitiesUpstream = readEntitiesUpstream(env);
  const callers = readKnownCallers(env);
  const tls = readRpcTls(env);
  const tracing = tracingConfig(env, SERVICE);
  const drainDelayMs = env.duration("DRAIN_DELAY", { default: "0ms", min: "0ms", max: "60s" });
  const logger = createLogger({ service: SERVICE, level: logLevel(env) });
  const lifecycle = openLifecycle({ logger, drainDelayMs });
  const registry = createMetrics({ service: SERVICE });
  const shared = { ca: readRpcCa(env), registry, logger, defaultTimeoutMs: CALL_TIMEOUT_MS };
  const transport = createRpcTransport({ ...shared, baseUrl, affinity: saleNumber, caller });
  const sales = createClient(SaleService, transport);
  const entities =
    entitiesUpstream && createClient(EntityService, createRpcTransport({ ...shared, ...entitiesUpstream }));
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

/** Reads where the entities service is, and as whom to call it; undefined without `ENTITIES_URL`. @throws ConfigError */
function readEntitiesUpstream(
  env: Env,
): { readonly baseUrl: readonly string[]; readonly caller: CallerProof } | undefined {
  const url = env.optionalUrls("ENTITIES_URL", { protocols: ["http:", "https:"] });
  return url && { baseUrl: url, caller: readCallerProof(env, ENTITIES_AUDIENCE) };
}
