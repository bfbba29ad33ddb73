import process from "node:process";
import { createClient } from "@connectrpc/connect";
import { saleNumber } from "../../common/internal-api/sale-of-call.ts";
import { checkTasks } from "../../common/platform/checks/check-task.ts";
import { startClockWatch } from "../../common/platform/clock/clock-watch.ts";
import { Env } from "../../common/platform/config/env.ts";
import { startAdminServer } from "../../common/platform/lifecycle/admin-server.ts";
import { type OpenLifecycle, runMain } from "../../common/platform/lifecycle/run-main.ts";
import { createLogger } from "../../common/platform/log/log.ts";
import { createMetrics } from "../../common/platform/metrics/metrics.ts";
import { createRpcTransport } from "../../common/platform/rpc/client/client.ts";
import { serviceTime } from "../../common/platform/rpc/client/service-time.ts";
import { openHttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { startTracing } from "../../common/platform/tracing/otlp/start-tracing.ts";
import { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { startIndexer } from "./indexer-service.ts";
import { indexerSettings, SERVICE } from "./settings.ts";

runMain(SERVICE, serve, {
  tasks: checkTasks(process.env, { checks: async () => (await import("./checks.ts")).indexerChecks }),
});

async function serve(openLifecycle: OpenLifecycle): Promise<void> {
  const { config, host, port, adminPort, callers, tls, tracing, drainDelayMs, level, ...upstream } = indexerSettings(
    new Env(process.env),
  );
  const logger = createLogger({ service: SERVICE, level });
  const lifecycle = openLifecycle({ logger, drainDelayMs });
  const registry = createMetrics({ service: SERVICE });
  const { commitments, ca, defaultTimeoutMs } = upstream;
  const shared = { ca, registry, logger, defaultTimeoutMs };
  const transport = createRpcTransport({ ...commitments, ...shared, affinity: saleNumber });
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
}
