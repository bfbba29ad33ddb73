import process from "node:process";
import { createClient, type Transport } from "@connectrpc/connect";
import { COMMITMENTS_STREAM } from "../common/internal-api/commitment-subjects.ts";
import { saleNumber } from "../common/internal-api/sale-of-call.ts";
import { openBus } from "../common/platform/bus/open-bus.ts";
import { checkTasks } from "../common/platform/checks/check-task.ts";
import { startClockWatch } from "../common/platform/clock/clock-watch.ts";
import { Env } from "../common/platform/config/env.ts";
import { startAdminServer } from "../common/platform/lifecycle/admin-server.ts";
import { type OpenLifecycle, runMain } from "../common/platform/lifecycle/run-main.ts";
import { createLogger } from "../common/platform/log/log.ts";
import { createMetrics } from "../common/platform/metrics/metrics.ts";
import { type CallObservers, createRpcTransport } from "../common/platform/rpc/client/client.ts";
import { serviceTime } from "../common/platform/rpc/client/service-time.ts";
import { startTracing } from "../common/platform/tracing/otlp/start-tracing.ts";
import { AccountService } from "../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { AuthorizationService } from "../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ClientService } from "../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { MembershipService } from "../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { CommitmentService } from "../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { IndexerService } from "../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { type GatewayAuth, startGateway } from "./composition.ts";
import type { CommitmentsUpstreamConfig, IndexerUpstreamConfig } from "./config.ts";
import type { DashboardServices } from "./dashboard/base/dashboard-dependencies.ts";
import { openHttpServer } from "./server.ts";
import { gatewaySettings, SERVICE } from "./settings.ts";
import { startStatusPort } from "./status-port.ts";
import { createAccessLog } from "./web/http/access-log.ts";
import { createCounters } from "./web/http/counters.ts";
import type { EntitiesUpstreamConfig } from "./web/sessions/auth-config.ts";
import { entitiesUpstream } from "./web/sessions/entities-upstream.ts";

const SIGNED_IN_TIMEOUT_MS = 10_000;
const MAX_AUTH_RESPONSE_BYTES = 4 * 2 ** 20;

runMain(SERVICE, serve, {
  tasks: checkTasks(process.env, { checks: async () => (await import("./checks.ts")).gatewayChecks }),
});

async function serve(openLifecycle: OpenLifecycle): Promise<void> {
  const settings = gatewaySettings(new Env(process.env));
  const { config, commitments: upstream, indexer, nats, adminPort, tracing, drainDelayMs, level } = settings;
  const registry = createMetrics({ service: SERVICE });
  const logger = createLogger({ service: SERVICE, level });
  const lifecycle = openLifecycle({ logger, drainDelayMs });
  const transport = createRpcTransport({
    baseUrl: upstream.url,
    affinity: saleNumber,
    caller: upstream.caller,
    registry,
    logger,
    ca: upstream.ca,
    defaultTimeoutMs: config.cache.callTimeoutMs,
    maxResponseBytes: upstream.maxResponseBytes,
  });
  const commitments = createClient(CommitmentService, transport);
  const observed = { registry, logger };
  const signedIn = signedInTransport(upstream, observed);
  const auth = authOf(settings, observed, {
    sales: createClient(SaleService, signedIn),
    webhooks: createClient(WebhookService, signedIn),
    commitments: createClient(CommitmentService, signedIn),
    indexer: indexer && createClient(IndexerService, signedInTransport(indexer, observed)),
  });
  const counters = createCounters();
  const { host, port, http, trustedProxies } = config;
  const { stopping } = lifecycle;
  const accessLog = config.accessLog && createAccessLog(config.accessLog, { logger });
  const server = await openHttpServer({ host, port, config: http, trustedProxies, counters, accessLog, stopping });
  const admin = await startAdminServer({ host, port: adminPort, lifecycle, registry, logger });
  lifecycle.onStop("admin http", () => admin.close());
  const { status } = settings;
  if (status !== undefined) await startStatusPort(status, { host, lifecycle, registry, logger });
  await startTracing({ config: tracing, lifecycle, registry, logger });
  const bus = await openBus({ nats, stream: COMMITMENTS_STREAM, name: SERVICE, logger, registry });
  lifecycle.onStop("bus", (deadline) => bus.close(deadline));
  startGateway({ config, server, counters, commitments, ...(auth && { auth }), bus, lifecycle, registry, logger });
  const compared = { comparedWith: "commitments service", readOther: serviceTime(transport), decidesReadiness: false };
  await startClockWatch({ ...compared, lifecycle, registry, logger });
  lifecycle.markReady();
  logger.info({ host, port: server.port, adminPort: admin.port }, "gateway listens");
}

/** Returns a transport for pages of people who are signed in, whose calls may take longer than a public read. */
function signedInTransport(
  upstream: CommitmentsUpstreamConfig | IndexerUpstreamConfig | EntitiesUpstreamConfig,
  observed: CallObservers,
): Transport {
  const { url: baseUrl, caller, ca } = upstream;
  return createRpcTransport({
    baseUrl,
    affinity: saleNumber,
    caller,
    ca,
    ...observed,
    defaultTimeoutMs: SIGNED_IN_TIMEOUT_MS,
  });
}

/** Returns sign-in and what it depends on; undefined without `AUTH_RPC_URL`. */
function authOf(
  { auth, entities }: ReturnType<typeof gatewaySettings>,
  observed: CallObservers,
  dashboard: DashboardServices,
): GatewayAuth | undefined {
  if (auth === undefined) return undefined;
  const { url: baseUrl, caller, ca, timeoutMs: defaultTimeoutMs } = auth.upstream;
  const transport = createRpcTransport({
    baseUrl,
    caller,
    ...observed,
    ca,
    defaultTimeoutMs,
    maxResponseBytes: MAX_AUTH_RESPONSE_BYTES,
  });
  return {
    config: auth.surface,
    clients: {
      accounts: createClient(AccountService, transport),
      authorization: createClient(AuthorizationService, transport),
      clients: createClient(ClientService, transport),
      memberships: createClient(MembershipService, transport),
    },
    entitiesUpstream: entities && entitiesUpstream(signedInTransport(entities, observed)),
    dashboard,
  };
}
