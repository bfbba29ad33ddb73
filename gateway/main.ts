import process from "node:process";
import { createClient } from "@connectrpc/connect";
import { CommitmentService } from "../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { startAdminServer } from "../services/shared/admin-server.ts";
import { Env } from "../services/shared/config/env.ts";
import { Lifecycle } from "../services/shared/lifecycle.ts";
import { createLogger, logLevel } from "../services/shared/log.ts";
import { createMetrics } from "../services/shared/metrics.ts";
import { createRpcTransport } from "../services/shared/rpc/client.ts";
import { runMain } from "../services/shared/run-main.ts";
import { commitmentsUpstreamConfig, gatewayConfig } from "./config.ts";
import { startGateway } from "./gateway.ts";

const SERVICE = "gateway";

runMain(SERVICE, async () => {
  const env = new Env(process.env);
  const config = gatewayConfig(env);
  const upstream = commitmentsUpstreamConfig(env);
  const adminPort = env.port("ADMIN_PORT", 9090);
  const drainDelayMs = env.duration("DRAIN_DELAY", { default: "0ms", min: "0ms", max: "60s" });
  const logger = createLogger({ service: SERVICE, level: logLevel(env) });
  const lifecycle = new Lifecycle({ logger, drainDelayMs });
  const registry = createMetrics({ service: SERVICE });
  const transport = createRpcTransport({
    baseUrl: upstream.url,
    caller: upstream.caller,
    defaultTimeoutMs: config.cache.callTimeoutMs,
    maxResponseBytes: upstream.maxResponseBytes,
  });
  const commitments = createClient(CommitmentService, transport);
  const admin = await startAdminServer({ host: config.host, port: adminPort, lifecycle, registry, logger });
  lifecycle.onStop("admin http", () => admin.close());
  const { port } = await startGateway({ config, commitments, lifecycle, registry, logger });
  lifecycle.installSignalHandlers();
  lifecycle.markReady();
  logger.info({ host: config.host, port, adminPort: admin.port }, "gateway listens");
});
