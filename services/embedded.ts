import process from "node:process";
import { createClient } from "@connectrpc/connect";
import { startGateway } from "../gateway/gateway.ts";
import { CommitmentService } from "../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { startCommitmentsService } from "./commitments/commitments-service.ts";
import { startDemo } from "./demo/demo.ts";
import { embeddedConfig, withOwnKeys } from "./embedded/config.ts";
import { welcome } from "./embedded/welcome.ts";
import { startAdminServer } from "./shared/admin-server.ts";
import { Env } from "./shared/config/env.ts";
import { Lifecycle } from "./shared/lifecycle.ts";
import { createLogger, logLevel } from "./shared/log.ts";
import { createMetrics } from "./shared/metrics.ts";
import { COMMITMENTS_AUDIENCE } from "./shared/rpc/audiences.ts";
import { generateCallerKey } from "./shared/rpc/callers.ts";
import { createRpcTransport } from "./shared/rpc/client.ts";
import { runMain } from "./shared/run-main.ts";

const SERVICE = "tidemark";
/** Of a call from one part of the process to another. */
const CALL_TIMEOUT_MS = 10_000;

/** Everything in one process: each service as it would run on its own, the gateway, and two demo sales. */
runMain(SERVICE, async () => {
  const env = new Env(process.env);
  const config = embeddedConfig(env);
  // Standard output is for people; and a person who tries Tidemark out needn't read what goes well.
  const logger = createLogger({ service: SERVICE, level: logLevel(env, "warn"), destination: process.stderr });
  const lifecycle = new Lifecycle({ logger });
  const registry = createMetrics({ service: SERVICE });
  const shared = { lifecycle, registry, logger };
  const { host } = config.gateway;
  const admin = await startAdminServer({ host, port: config.adminPort, ...shared });
  lifecycle.onStop("admin http", () => admin.close());
  const keys = { gateway: generateCallerKey().key, operator: generateCallerKey().key };
  const rpc = await startCommitmentsService({
    config: config.commitments,
    host,
    port: config.commitmentsPort,
    callerKeys: withOwnKeys(config.callerKeys, keys),
    ...shared,
  });
  const transportOf = (name: keyof typeof keys) => {
    const caller = { name, key: keys[name], audience: COMMITMENTS_AUDIENCE };
    return createRpcTransport({ baseUrl: rpc.url, caller, defaultTimeoutMs: CALL_TIMEOUT_MS });
  };
  const commitments = createClient(CommitmentService, transportOf("gateway"));
  const gateway = await startGateway({ config: config.gateway, commitments, ...shared });
  lifecycle.installSignalHandlers();
  if (config.demo) {
    const operator = transportOf("operator");
    const stopDemo = await startDemo({
      sales: createClient(SaleService, operator),
      commitments: createClient(CommitmentService, operator),
      bidIntervalMs: config.bidIntervalMs,
      logger,
    });
    lifecycle.onStop("demo", stopDemo);
  }
  lifecycle.markReady();
  process.stdout.write(
    welcome({ ...config, host, ports: { gateway: gateway.port, admin: admin.port, rpc: rpc.port } }),
  );
});
