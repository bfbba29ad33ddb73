import type { Registry } from "prom-client";
import { Health } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Lifecycle } from "../shared/lifecycle.ts";
import type { Logger } from "../shared/log.ts";
import { COMMITMENTS_AUDIENCE } from "../shared/rpc/audiences.ts";
import { type CallerKeys, createRequestGate, namedKeyAuthenticator } from "../shared/rpc/callers.ts";
import { createHealth } from "../shared/rpc/health.ts";
import { type RpcServer, startRpcServer } from "../shared/rpc/server.ts";
import type { CommitmentsConfig } from "./config.ts";
import { DatabaseWatch } from "./database-watch.ts";
import { startExpiryLoop } from "./expiry-loop.ts";
import { extraDataParsers } from "./extra-data-parsers.ts";
import { migrateStore, openStore } from "./open-store.ts";
import { operatorsOnly } from "./operators-only.ts";
import { ALLOWED_CALLERS } from "./rpc/allowed-callers.ts";
import { commitmentsRoutes } from "./rpc/routes.ts";

export interface CommitmentsServiceOptions {
  readonly config: CommitmentsConfig;
  readonly host: string;
  /** `COMMITMENTS_PORT`; 0: any free port. */
  readonly port: number;
  readonly callerKeys: CallerKeys;
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  readonly logger: Logger;
}

/**
 * Starts the commitments service in this process; it stops with the lifecycle.
 *
 * @throws ConfigError where the address can't be listened on
 */
export async function startCommitmentsService(options: CommitmentsServiceOptions): Promise<RpcServer> {
  const { config, lifecycle, registry, logger } = options;
  const database = openStore(config.store);
  lifecycle.onStop("database", () => database.close());
  if (config.migrateAtStart) logger.info({ migrations: await migrateStore(database) }, "schema is up to date");
  const watch = new DatabaseWatch(database, logger);
  lifecycle.onStop("database watch", () => watch.stop());
  lifecycle.addReadinessCheck("database", () => watch.status());
  const { retention, expiryIntervalMs: intervalMs } = config;
  lifecycle.onStop("expiry", startExpiryLoop({ database, retention, intervalMs, logger }));
  const authenticator = namedKeyAuthenticator({ keys: options.callerKeys, audience: COMMITMENTS_AUDIENCE });
  const routes = commitmentsRoutes({
    database,
    openSalePolicy: operatorsOnly,
    applyMaxRows: config.applyMaxRows,
    extraDataParser: extraDataParsers(),
  });
  const health = createHealth({ lifecycle, services: [SaleService.typeName, CommitmentService.typeName] });
  const server = await startRpcServer({
    host: options.host,
    port: options.port,
    variable: "COMMITMENTS_PORT",
    routes: (router) => {
      routes(router);
      router.service(Health, health);
    },
    gate: createRequestGate({ authenticator, allowed: ALLOWED_CALLERS }),
    logger,
    registry,
    maxRequestBytes: config.maxRequestBytes,
  });
  lifecycle.onStop("rpc", (deadline) => server.close(deadline));
  return server;
}
