import type { Client } from "@connectrpc/connect";
import type { Registry } from "prom-client";
import { saleAttributes } from "../../common/internal-api/sale-of-call.ts";
import { type ClockWatch, startClockWatch } from "../../common/platform/clock/clock-watch.ts";
import { startPeriodicWork } from "../../common/platform/concurrency/periodic-work.ts";
import { databaseTime } from "../../common/platform/db/database-clock.ts";
import { DatabaseWatch, tableProbe } from "../../common/platform/db/database-watch.ts";
import { deleteExpiredRows } from "../../common/platform/db/expired-rows.ts";
import { startExpiryLoop } from "../../common/platform/db/expiry-loop.ts";
import { warnOfTls } from "../../common/platform/db/mysql/mysql-options.ts";
import { exportPool } from "../../common/platform/db/pool-metrics.ts";
import { migrateWhenAnswered, whenDatabaseAnswers } from "../../common/platform/db/when-database-answers.ts";
import type { Lifecycle } from "../../common/platform/lifecycle/lifecycle.ts";
import type { Logger } from "../../common/platform/log/log.ts";
import { AUTH_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { callerAuthenticator, type KnownCallers } from "../../common/platform/rpc/identity/caller-authenticator.ts";
import { serveHealth } from "../../common/platform/rpc/server/health.ts";
import type { HttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { createRequestGate } from "../../common/platform/rpc/server/request-gate.ts";
import { type RpcServer, startRpcServer } from "../../common/platform/rpc/server/server.ts";
import { serveStatus } from "../../common/platform/rpc/server/status.ts";
import { bothKeys } from "../../common/platform/secrets/both-keys.ts";
import type { Clock } from "../../common/platform/time/clock.ts";
import type { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { completeErasures } from "./accounts/complete-erasures.ts";
import { ALLOWED_CALLERS } from "./allowed-callers.ts";
import { completeRemovals } from "./applications/complete-removal.ts";
import { type AuthMetrics, createAuthMetrics } from "./base/auth-metrics.ts";
import type { AuthConfig } from "./base/config.ts";
import { deriveKeys } from "./base/derived-keys.ts";
import { migrateStore, openStore } from "./base/open-store.ts";
import { RateLimits } from "./base/rate-limits.ts";
import { expiredRows } from "./expired-rows.ts";
import { KeyRing } from "./keys/key-ring.ts";
import { maintainKeys } from "./keys/maintain-keys.ts";
import { countedMailer } from "./mail/counted-mailer.ts";
import { openMailer } from "./mail/open-mailer.ts";
import { sendDueNotices } from "./recovery/send-due-notices.ts";
import { AUTH_SERVICES, authRoutes } from "./routes.ts";
import { type WiredContext, wireContext } from "./wired-context.ts";

export interface AuthServiceOptions extends KnownCallers {
  readonly config: AuthConfig;
  /** `AUTH_PORT`. */
  readonly listener: HttpListener;
  /** A client of the commitments service. */
  readonly sales: Pick<Client<typeof SaleService>, "getSale">;
  /** A client of the entities service; absent in a deployment without one. */
  readonly entities?: WiredContext["entities"];
  /** An interactive terminal, which also shows the mails that are written to a folder. */
  readonly terminal?: { write(text: string): void };
  /** A test's clock, which steps never back. By default the time of the process, or of the database where the two differ. */
  readonly clock?: Clock;
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  readonly logger: Logger;
}

/**
 * The largest message is a `CheckAccess` request of 100 tokens with proofs, 2.6 MiB: a smaller bound would fail the checks of all who
 * share a call with somebody's large tokens.
 */
const MAX_REQUEST_BYTES = 3 * 2 ** 20;
/** The interval of the check for removals whose outcome auth doesn't know. */
const REMOVALS_INTERVAL_MS = 5_000;
/** The interval of the check for deleted accounts whose entities aren't deleted yet. */
const ERASURES_INTERVAL_MS = 5_000;
/** The interval of the check for mails about recoveries that are due. */
const NOTICES_INTERVAL_MS = 10_000;

/**
 * Starts the auth service in this process. The lifecycle stops it.
 *
 * @throws ConfigError where `KEY_ENCRYPTION_KEY` doesn't open the signing keys in the database
 */
export async function startAuthService(options: AuthServiceOptions): Promise<RpcServer> {
  const { lifecycle, registry, logger } = options;
  const metrics = createAuthMetrics(registry);
  const { context, clockWatch } = await openContext(options, metrics);
  const { database, keyRing, rsaKeyRing } = context;
  const watch = new DatabaseWatch(tableProbe(database, "signing_key"), logger);
  lifecycle.onStop("auth database watch", () => watch.stop());
  lifecycle.addReadinessCheck("auth database", () => watch.status());
  lifecycle.onStop("keys", maintainKeys([keyRing, rsaKeyRing], logger));
  lifecycle.onStop("auth expiry", startExpiry(options, context));
  lifecycle.onStop("removals", startRemovals(options, context));
  lifecycle.onStop("erasures", startErasures(options, context));
  lifecycle.onStop("recovery notices", startRecoveryNotices(options, context));
  const server = startServer(options, context, metrics, clockWatch);
  lifecycle.onStop("auth rpc", (deadline) => server.close(deadline));
  return server;
}

interface OpenedParts {
  readonly context: WiredContext;
  readonly clockWatch: ClockWatch;
}

async function openContext(options: AuthServiceOptions, metrics: AuthMetrics): Promise<OpenedParts> {
  const { config, lifecycle, registry, logger, sales, entities } = options;
  if ("mysql" in config.store) warnOfTls(config.store.mysql, logger);
  const database = await openStore(config.store);
  lifecycle.onStop("auth database", () => database.close());
  exportPool("auth", database, registry);
  if (config.migrateAtStart) await migrateWhenAnswered(() => migrateStore(database), options);
  const compared = { comparedWith: "auth database", readOther: databaseTime(database), decidesReadiness: true };
  const clockWatch = await startClockWatch({ ...compared, lifecycle, registry, logger });
  const { clock = clockWatch.now } = options;
  const derivedKeys = deriveKeys(config.keyEncryptionKey, config.otherKeyEncryptionKey);
  const { issuer, keyRotationMs: rotationMs } = config;
  const monotonicNow = options.clock && (() => Number(clock()));
  const keys = { database, clock, monotonicNow, issuer, wrapKeys: bothKeys(derivedKeys, "signingKeyWrap"), rotationMs };
  const openKeys = async () =>
    [await KeyRing.open(keys), await KeyRing.openLazily({ ...keys, algorithm: "RS256" })] as const;
  const [keyRing, rsaKeyRing] = await whenDatabaseAnswers("read the signing keys", openKeys, options);
  const mailer = await openMailer({ ...config.mail, clock, logger, terminal: options.terminal });
  lifecycle.onStop("mail", () => mailer.close());
  const context = wireContext({
    config,
    database,
    clock,
    derivedKeys,
    keyRing,
    rsaKeyRing,
    mailer: countedMailer(mailer, metrics),
    rateLimits: new RateLimits({ database, clock, counterKey: derivedKeys.counters, enabled: config.rateLimits }),
    sales,
    entities,
    logger,
  });
  return { context, clockWatch };
}

function startExpiry({ config }: AuthServiceOptions, context: WiredContext): () => Promise<void> {
  const { database, clock, logger } = context;
  const auditRetentionMs = BigInt(config.auditRetentionMs);
  return startExpiryLoop({
    deleteExpired: (signal) => deleteExpiredRows(database, expiredRows(clock(), auditRetentionMs), signal),
    intervalMs: config.expiryIntervalMs,
    logger,
  });
}

function startRemovals({ logger }: AuthServiceOptions, context: WiredContext): () => Promise<void> {
  return startPeriodicWork({
    work: (signal) => completeRemovals(context, signal),
    intervalMs: REMOVALS_INTERVAL_MS,
    onFailure: (error) => logger.warn({ err: error }, "removals of sales can't be completed now"),
  });
}

function startErasures({ logger }: AuthServiceOptions, context: WiredContext): () => Promise<void> {
  return startPeriodicWork({
    work: (signal) => completeErasures(context, signal),
    intervalMs: ERASURES_INTERVAL_MS,
    onFailure: (error) => logger.warn({ err: error }, "entities of deleted accounts stay for now"),
  });
}

function startRecoveryNotices({ logger }: AuthServiceOptions, context: WiredContext): () => Promise<void> {
  return startPeriodicWork({
    work: (signal) => sendDueNotices(context, signal),
    intervalMs: NOTICES_INTERVAL_MS,
    onFailure: (error) => logger.warn({ err: error }, "mails about recoveries can't be sent now"),
  });
}

function startServer(
  options: AuthServiceOptions,
  context: WiredContext,
  metrics: AuthMetrics,
  clockWatch: ClockWatch,
): RpcServer {
  const { listener, lifecycle, registry, logger } = options;
  const authenticator = callerAuthenticator(options, AUTH_AUDIENCE);
  const { now } = clockWatch;
  const refusal = () => clockWatch.refusal();
  const routes = authRoutes(context, metrics);
  return startRpcServer({
    listener,
    routes: (router) => {
      routes(router);
      serveStatus(router, { lifecycle, registry });
      serveHealth(router, { lifecycle, now, services: AUTH_SERVICES.map(({ typeName }) => typeName) });
    },
    gate: createRequestGate({ authenticator, allowed: ALLOWED_CALLERS, actors: context.actorTokens, refusal }),
    logger,
    registry,
    requestAttributes: saleAttributes,
    maxRequestBytes: MAX_REQUEST_BYTES,
  });
}
