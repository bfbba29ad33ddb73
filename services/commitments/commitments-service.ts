import type { Registry } from "prom-client";
import { saleAttributes } from "../../common/internal-api/sale-of-call.ts";
import type { Bus } from "../../common/platform/bus/bus.ts";
import { startClockWatch } from "../../common/platform/clock/clock-watch.ts";
import { startPeriodicWork } from "../../common/platform/concurrency/periodic-work.ts";
import { databaseTime } from "../../common/platform/db/database-clock.ts";
import { DatabaseWatch, tableProbe } from "../../common/platform/db/database-watch.ts";
import { startExpiryLoop } from "../../common/platform/db/expiry-loop.ts";
import { warnOfTls } from "../../common/platform/db/mysql/mysql-options.ts";
import { exportPool } from "../../common/platform/db/pool-metrics.ts";
import { RunningExports } from "../../common/platform/db/running-exports.ts";
import { migrateWhenAnswered, whenDatabaseAnswers } from "../../common/platform/db/when-database-answers.ts";
import type { Lifecycle } from "../../common/platform/lifecycle/lifecycle.ts";
import type { Logger } from "../../common/platform/log/log.ts";
import { secretMethods } from "../../common/platform/rewrap/rewrap-rpc.ts";
import { COMMITMENTS_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { callerAuthenticator, type KnownCallers } from "../../common/platform/rpc/identity/caller-authenticator.ts";
import { serveHealth } from "../../common/platform/rpc/server/health.ts";
import type { HttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { createRequestGate } from "../../common/platform/rpc/server/request-gate.ts";
import { type RpcServer, startRpcServer } from "../../common/platform/rpc/server/server.ts";
import { serveStatus } from "../../common/platform/rpc/server/status.ts";
import { keyEncryptionKeyId } from "../../common/platform/secrets/key-id.ts";
import { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { SecretService } from "../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import { ALLOWED_CALLERS } from "./allowed-callers.ts";
import type { CommitmentsAuth } from "./auth-upstream.ts";
import { authAuthority } from "./base/auth-authority.ts";
import { LATE_ROWS_INTERVAL_MS, WALLET_FILL_INTERVAL_MS, WATCH_POLL_MS } from "./base/domain/lifetimes.ts";
import { deleteExpired } from "./base/expiry.ts";
import { extraDataParsers } from "./base/extra-data-parsers.ts";
import { operatorsOnly } from "./base/sale-authority.ts";
import { noSalePermits } from "./base/sale-permits.ts";
import { noSourceChecker } from "./base/source-checker.ts";
import { beginChanges } from "./changing/begin-changes.ts";
import type { CommitmentsStore } from "./changing/commitments-store.ts";
import { optimisticApplyCounter } from "./changing/optimistic/optimistic-apply-metrics.ts";
import { placeLateRows } from "./changing/place-late-rows.ts";
import type { CommitmentsConfig } from "./config.ts";
import { createCommitmentsStore } from "./create-store.ts";
import { migrateStore, openStore } from "./open-store.ts";
import { exportBacklog, exportPartitions, publishedCounter } from "./outbox/outbox-metrics.ts";
import { OutboxRelay } from "./outbox/outbox-relay.ts";
import { noBidExits } from "./positions/bid-exit-source.ts";
import { fillWalletRows } from "./positions/fill-wallet-rows.ts";
import { indexerBidExits } from "./positions/indexer-bid-exits.ts";
import { readRevisions } from "./reading/revisions-store.ts";
import { SaleWatch } from "./reading/sale-watch.ts";
import { readWatchedState } from "./reading/watch-commitment-data-rpc.ts";
import { commitmentsRoutes } from "./routes.ts";
import { entitiesSalePermits, type PermitsClient } from "./sales/entities-sale-permits.ts";
import { type IndexerClient, indexerSourceChecker } from "./sales/indexer-source-checker.ts";
import { deleteOrphanedWebhooks, trimEvents } from "./webhooks/expired-webhooks-store.ts";
import { startWebhooks } from "./webhooks/sending/start-webhooks.ts";
import { requireReadableSecrets, wrappedSecrets } from "./webhooks/wrapped-secrets-store.ts";

export interface CommitmentsServiceOptions extends KnownCallers {
  readonly config: CommitmentsConfig;
  /** `COMMITMENTS_PORT`. */
  readonly listener: HttpListener;
  /** Decides who may change which sale. Absent: only operators may. */
  readonly auth?: CommitmentsAuth;
  /** Checks contracts and tokens. Absent: a sale with a source opens only by an override. */
  readonly indexer?: IndexerClient;
  /** Issues permits for bids. Absent: nobody does, or nobody waits for it. */
  readonly permits?: PermitsClient;
  /** Receives an event for every revision. Its owner closes it after the service has stopped. */
  readonly bus: Bus;
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Starts the commitments service in this process; it stops with the lifecycle. */
export async function startCommitmentsService(options: CommitmentsServiceOptions): Promise<RpcServer> {
  const { config, auth, indexer, permits, bus, lifecycle, registry, logger } = options;
  if ("mysql" in config.store) warnOfTls(config.store.mysql, logger);
  const database = await openStore(config.store);
  lifecycle.onStop("database", () => database.close());
  exportPool("commitments", database, registry);
  if (config.migrateAtStart) await migrateWhenAnswered(() => migrateStore(database), options);
  // Ends the start if the database refuses the account, before anything works in the background.
  await whenDatabaseAnswers("read its clock", () => database.nowMillis(), options);
  // Always ready: the public read goes through this service, and what it decides counts by the database's clock.
  const compared = { comparedWith: "commitments database", readOther: databaseTime(database), decidesReadiness: false };
  const { now } = await startClockWatch({ ...compared, lifecycle, registry, logger });
  const watch = new DatabaseWatch(tableProbe(database, "sale_state"), logger);
  lifecycle.onStop("database watch", () => watch.stop());
  lifecycle.addReadinessCheck("database", () => watch.status());
  const { retention, expiryIntervalMs: intervalMs } = config;
  const expire = async (signal: AbortSignal) => {
    await deleteExpired(database, retention, signal);
    await trimEvents(database, signal);
    await deleteOrphanedWebhooks(database, signal);
  };
  lifecycle.onStop("expiry", startExpiryLoop({ deleteExpired: expire, intervalMs, logger }));
  const relay = new OutboxRelay({
    database,
    bus,
    logger,
    pollMs: config.outboxPollMs,
    onPublished: publishedCounter(registry),
  });
  exportBacklog(database, registry);
  exportPartitions(relay, registry);
  const mayChange = await beginChanges(database, { ...options, onBegun: () => relay.start() });
  const store = createCommitmentsStore(database, {
    onCommitted: (update) => relay.publish(update),
    onOptimisticApply: optimisticApplyCounter(registry),
    mayChange,
  });
  lifecycle.onStop("rows by wallet", startWalletFill(store, logger));
  lifecycle.onStop("late rows", startLateRows(store, logger));
  lifecycle.onStop("outbox relay", () => relay.stop());
  const authenticator = callerAuthenticator(options, COMMITMENTS_AUDIENCE);
  const extraDataParser = extraDataParsers();
  const watchedSales = new SaleWatch({
    bus,
    readState: (saleUuid) => readWatchedState({ store, extraDataParser }, saleUuid),
    readVersions: (saleUuids) => readRevisions(database, saleUuids),
    logger,
    pollMs: WATCH_POLL_MS,
    maxWatchers: config.watchMaxStreams,
  });
  watchedSales.start();
  lifecycle.onStop("watched sales", () => watchedSales.stop());
  const authority = auth === undefined ? operatorsOnly : authAuthority(auth.memberships);
  const webhooks = startWebhooks({ config: config.webhooks, store, authority, lifecycle, registry, logger });
  const secretKinds = webhooks === undefined ? [] : wrappedSecrets(database, webhooks.secrets);
  await whenDatabaseAnswers("read the stored secrets", () => requireReadableSecrets(secretKinds), options);
  const { keyEncryptionKey } = config.webhooks;
  const keyId = keyEncryptionKey === undefined ? "" : keyEncryptionKeyId(keyEncryptionKey);
  const routes = commitmentsRoutes({
    store,
    authority,
    sources: indexer === undefined ? noSourceChecker : indexerSourceChecker(indexer),
    bidExits: indexer === undefined ? noBidExits : indexerBidExits(indexer),
    permits: permits === undefined ? noSalePermits : entitiesSalePermits(permits, logger),
    applyMaxRows: config.applyMaxRows,
    extraDataParser,
    exports: new RunningExports({ database, maxExports: config.exportMaxStreams, maxMs: config.exportMaxMs }),
    watch: watchedSales,
    webhooks,
    wakeRelay: () => relay.wake(),
  });
  const server = startRpcServer({
    listener: options.listener,
    routes: (router) => {
      routes(router);
      router.service(SecretService, secretMethods({ keyId, kinds: secretKinds }));
      serveStatus(router, { lifecycle, registry });
      serveHealth(router, {
        lifecycle,
        now,
        services: [SaleService, CommitmentService, WebhookService, SecretService].map(({ typeName }) => typeName),
      });
    },
    endingStreams: [CommitmentService.method.exportCommitments],
    gate: createRequestGate({ authenticator, allowed: ALLOWED_CALLERS, ...(auth && { actors: auth.actors }) }),
    logger,
    registry,
    requestAttributes: saleAttributes,
    maxRequestBytes: config.maxRequestBytes,
  });
  lifecycle.onStop("rpc", (deadline) => server.close(deadline));
  return server;
}

/** Fills in rows by wallet where they are missing. @returns a function that stops it after the current batch */
function startWalletFill(store: CommitmentsStore, logger: Logger): () => Promise<void> {
  const onFilled = (saleUuid: string) => logger.info({ saleUuid }, "rows by wallet are complete");
  const onFailure = (saleUuid: string, error: unknown) =>
    logger.warn({ err: error, saleUuid }, "rows by wallet aren't complete yet");
  return startPeriodicWork({
    work: (signal) => fillWalletRows(store, { signal, onFilled, onFailure }),
    intervalMs: WALLET_FILL_INTERVAL_MS,
    onFailure: (error) => logger.warn({ err: error }, "sales without rows by wallet can't be found"),
  });
}

/** Puts commitments that came late at their own time in the history of their sale. @returns a function that stops it */
function startLateRows(store: CommitmentsStore, logger: Logger): () => Promise<void> {
  const onPlaced = (saleUuid: string) =>
    logger.info({ saleUuid }, "late commitments are at their own time in the history");
  const onFailure = (saleUuid: string, error: unknown) =>
    logger.warn({ err: error, saleUuid }, "late commitments aren't at their own time in the history yet");
  return startPeriodicWork({
    work: (signal) => placeLateRows(store, { signal, onPlaced, onFailure }),
    intervalMs: LATE_ROWS_INTERVAL_MS,
    onFailure: (error) => logger.warn({ err: error }, "sales with late commitments can't be found"),
  });
}
