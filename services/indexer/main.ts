import process from "node:process";
import { createClient } from "@connectrpc/connect";
import { saleNumber } from "../../common/internal-api/sale-of-call.ts";
import { startClockWatch } from "../../common/platform/clock/clock-watch.ts";
import { Env } from "../../common/platform/config/env.ts";
import { startAdminServer } from "../../common/platform/lifecycle/admin-server.ts";
import { runMain } from "../../common/platform/lifecycle/run-main.ts";
import { createLogger, logLevel } from "../../common/platform/log/log.ts";
import { createMetrics } from "../../common/platform/metrics/metrics.ts";
import { createRpcTransport } from "../../common/platform/rpc/client/client.ts";
import { serviceTime } from "../../common/platform/rpc/client/service-time.ts";
import { COMMITMENTS_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { readKnownCallers } from "../../common/platform/rpc/identity/caller-config.ts";
import { readCallerProof } from "../../common/platform/rpc/identity/caller-keys.ts";
import { readRpcCa, readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { openHttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { startTracing } from "../../common/platform/tracing/otlp/start-tracing.ts";
import { tracingConfig } from "../../common/platform/tracing/otlp/tracing-config.ts";
import { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { indexerConfig } from "./config.ts";
import { startIndexer } from "./indexer-service.ts";

const SERVICE = "indexer";

runMain(SERVICE, async (openLifecycle) => {
  const env = new Env(process.env);
  const config = indexerConfig(env);
  const host = env.string("HOST", "127.0.0.1");
  const port = env.port("INDEXER_PORT", 8082);
  const adminPort = env.port("ADMIN_PORT", 9090);
  const baseUrl = env.urls("COMMITMENTS_URL", undefined, { protocols: ["http:", "https:"] });
  const defaultTimeoutMs = env.duration("APPLY_TIMEOUT", { default: "30s", min: "1s", max: "60s" });
  const caller = readCallerProof(env, COMMITMENTS_AUDIENCE);
  const callers = readKnownCallers(env);
  const tls = readRpcTls(env);
  const tracing = tracingConfig(env, SERVICE);
  const drainDelayMs = env.duration("DRAIN_DELAY", { default: "0ms", min: "0ms", max: "60s" });
  const logger = createLogger({ service: SERVICE, level: logLevel(env) });
  const lifecycle = openLifecycle({ logger, drainDelayMs });
  const registry = createMetrics({ service: SERVICE });
  const transport = createRpcTransport({
    baseUrl,
    affinity: saleNumber,
    caller,
    ca: readRpcCa(env),
    registry,
    logger,
    defaultTimeoutMs,
  });
  const client = {
    sales: createClient(SaleService, transport),
    commitments: createClient(CommitmentService, transport),
  };
  const { stopping } = lifecycle;
  const listener = await openHttpListener({ host, port, variable: "INDEXER_PORT", tls, stopping, logger });
  const admin = await startAdminServer({ host, port: adminPort, lifecycle, registry, logger });
  lifecycle.onStop("admin http", () => admin.close());
  await startTracing({ config: tracing, lifecycle, registry, logger });
  const compared = { comparedWith: "commitments service", readOther: serviceTime(transport), decidesReadiness: true };
  const clockWatch = await startClockWatch({ ...compared, lifecycle, registry, logger });
  const server = await startIndexer({ config, client, listener, ...callers, clockWatch, lifecycle, registry, logger });
  lifecycle.markReady();
  logger.info({ host, port: server.port, adminPort: admin.port, chains: config.chains.length }, "indexer listens");
});
