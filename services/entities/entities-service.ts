import type { Registry } from "prom-client";
import { saleAttributes } from "../../common/internal-api/sale-of-call.ts";
import { type ClockWatch, startClockWatch } from "../../common/platform/clock/clock-watch.ts";
import { databaseTime } from "../../common/platform/db/database-clock.ts";
import { DatabaseWatch, tableProbe } from "../../common/platform/db/database-watch.ts";
import { deleteExpiredRows } from "../../common/platform/db/expired-rows.ts";
import { startExpiryLoop } from "../../common/platform/db/expiry-loop.ts";
import { warnOfTls } from "../../common/platform/db/mysql/mysql-options.ts";
import { exportPool } from "../../common/platform/db/pool-metrics.ts";
import { migrateWhenAnswered, whenDatabaseAnswers } from "../../common/platform/db/when-database-answers.ts";
import type { Lifecycle } from "../../common/platform/lifecycle/lifecycle.ts";
import type { Logger } from "../../common/platform/log/log.ts";
import type { ActorVerifier } from "../../common/platform/rpc/identity/actor.ts";
import { ENTITIES_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { callerAuthenticator, type KnownCallers } from "../../common/platform/rpc/identity/caller-authenticator.ts";
import { serveHealth } from "../../common/platform/rpc/server/health.ts";
import type { HttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { createRequestGate } from "../../common/platform/rpc/server/request-gate.ts";
import { type RpcServer, startRpcServer } from "../../common/platform/rpc/server/server.ts";
import { serveStatus } from "../../common/platform/rpc/server/status.ts";
import type { Clock } from "../../common/platform/time/clock.ts";
import { ALLOWED_CALLERS } from "./allowed-callers.ts";
import type { EntitiesConfig } from "./base/config.ts";
import { migrateStore, openStore } from "./base/open-store.ts";
import { openStoredSecrets } from "./base/stored-secrets.ts";
import type { Upstreams } from "./base/upstreams.ts";
import { exportNotices } from "./notices/notice-metrics.ts";
import { expiredRows, startWorks } from "./periodic-work.ts";
import { ENTITIES_SERVICES, entitiesRoutes } from "./routes.ts";
import { type WiredContext, wireContext } from "./wired-context.ts";
import { requireReadableKeys } from "./wrapped-secrets-store.ts";

export interface EntitiesServiceOptions extends KnownCallers {
  readonly config: EntitiesConfig;
  /** `ENTITIES_PORT`. */
  readonly listener: HttpListener;
  readonly upstreams: Upstreams;
  /** Verifies for whom the gateway calls. */
  readonly actors: ActorVerifier;
  /** By default the time of the process, or of the database where the two differ. */
  readonly clock?: Clock;
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** The largest messages are parts of an import. */
const MAX_REQUEST_BYTES = 2 ** 20;

/** Starts the entities service in this process. The lifecycle stops it. */
export async function startEntitiesService(options: EntitiesServiceOptions): Promise<RpcServer> {
  const { lifecycle, logger } = options;
  const { dependencies, clockWatch } = await openDependencies(options);
  const { database } = dependencies;
  const watch = new DatabaseWatch(tableProbe(database, "sale_permits"), logger);
  lifecycle.onStop("entities database watch", () => watch.stop());
  lifecycle.addReadinessCheck("entities database", () => watch.status());
  exportNotices(dependencies, options.registry);
  lifecycle.onStop("entities expiry", startExpiry(options, dependencies));
  for (const [name, stop] of startWorks(dependencies)) lifecycle.onStop(`entities ${name}`, stop);
  const server = startServer(options, dependencies, clockWatch);
  lifecycle.onStop("entities rpc", (deadline) => server.close(deadline));
  return server;
}

interface OpenedParts {
  readonly dependencies: WiredContext;
  readonly clockWatch: ClockWatch;
}

async function openDependencies(options: EntitiesServiceOptions): Promise<OpenedParts> {
  const { config, upstreams, lifecycle, registry, logger } = options;
  if ("mysql" in config.store) warnOfTls(config.store.mysql, logger);
  const database = await openStore(config.store);
  lifecycle.onStop("entities database", () => database.close());
  exportPool("entities", database, registry);
  if (config.migrateAtStart) await migrateWhenAnswered(() => migrateStore(database), options);
  const compared = { comparedWith: "entities database", readOther: databaseTime(database), decidesReadiness: true };
  const clockWatch = await startClockWatch({ ...compared, lifecycle, registry, logger });
  const { clock = clockWatch.now } = options;
  const openKeys = async () => {
    const derivedKeys = await openStoredSecrets(database, config);
    await requireReadableKeys({ database, derivedKeys });
    return derivedKeys;
  };
  const derivedKeys = await whenDatabaseAnswers("read the stored keys", openKeys, options);
  const dependencies = wireContext({ ...upstreams, config, database, clock, logger, registry, derivedKeys });
  return { dependencies, clockWatch };
}

function startExpiry(
  { config }: EntitiesServiceOptions,
  { database, clock, logger }: WiredContext,
): () => Promise<void> {
  return startExpiryLoop({
    deleteExpired: (signal) =>
      deleteExpiredRows(database, expiredRows(clock(), BigInt(config.auditRetentionMs)), signal),
    intervalMs: config.expiryIntervalMs,
    logger,
  });
}

function startServer(options: EntitiesServiceOptions, dependencies: WiredContext, clockWatch: ClockWatch): RpcServer {
  const { listener, actors, lifecycle, registry, logger } = options;
  const authenticator = callerAuthenticator(options, ENTITIES_AUDIENCE);
  const { now } = clockWatch;
  const refusal = () => clockWatch.refusal();
  const routes = entitiesRoutes(dependencies);
  return startRpcServer({
    listener,
    routes: (router) => {
      routes(router);
      serveStatus(router, { lifecycle, registry });
      serveHealth(router, { lifecycle, now, services: ENTITIES_SERVICES.map(({ typeName }) => typeName) });
    },
    gate: createRequestGate({ authenticator, allowed: ALLOWED_CALLERS, actors, refusal }),
    logger,
    registry,
    requestAttributes: saleAttributes,
    maxRequestBytes: MAX_REQUEST_BYTES,
  });
}
