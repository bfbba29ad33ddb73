import process from "node:process";
import { createClient } from "@connectrpc/connect";
import { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { Env } from "../shared/config/env.ts";
import { startAdminServer } from "../shared/lifecycle/admin-server.ts";
import { Lifecycle } from "../shared/lifecycle/lifecycle.ts";
import { runMain } from "../shared/lifecycle/run-main.ts";
import { createLogger, logLevel } from "../shared/log/log.ts";
import { createMetrics } from "../shared/metrics/metrics.ts";
import { createRpcTransport } from "../shared/rpc/client/client.ts";
import { COMMITMENTS_AUDIENCE } from "../shared/rpc/identity/audiences.ts";
import { readKnownCallers } from "../shared/rpc/identity/caller-config.ts";
import { readCallerProof } from "../shared/rpc/identity/caller-keys.ts";
import { readRpcCa, readRpcTls } from "../shared/rpc/identity/rpc-tls.ts";
import { openHttpListener } from "../shared/rpc/server/http-listener.ts";
import { startTracing } from "../shared/tracing/otlp/start-tracing.ts";
import { tracingConfig } from "../shared/tracing/otlp/tracing-config.ts";
import { indexerConfig } from "./config.ts";
import { startIndexer } from "./indexer.ts";

const SERVICE = "indexer";

runMain(SERVICE, async () => {
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
  const lifecycle = new Lifecycle({ logger, drainDelayMs });
  const registry = createMetrics({ service: SERVICE });
  const transport = createRpcTransport({ baseUrl, caller, ca: readRpcCa(env), registry, defaultTimeoutMs });
  const client = {
    sales: createClient(SaleService, transport),
    commitments: createClient(CommitmentService, transport),
  };
  const { stopping } = lifecycle;
  const listener = await openHttpListener({ host, port, variable: "INDEXER_PORT", tls, stopping, logger });
  const admin = await startAdminServer({ host, port: adminPort, lifecycle, registry, logger });
  lifecycle.onStop("admin http", () => admin.close());
  await startTracing({ config: tracing, lifecycle, registry, logger });
  const server = await startIndexer({ config, client, listener, ...callers, lifecycle, registry, logger });
  lifecycle.installSignalHandlers();
  lifecycle.markReady();
  logger.info({ host, port: server.port, adminPort: admin.port, chains: config.chains.length }, "indexer listens");
});
