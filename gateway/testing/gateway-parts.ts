import type { IncomingMessage } from "node:http";
import { pino } from "pino";
import { Registry } from "prom-client";
import { Env } from "../../common/platform/config/env.ts";
import type { Logger } from "../../common/platform/log/log.ts";
import { type GatewayConfig, gatewayConfig } from "../config.ts";
import { createApiPages } from "../openapi/api-pages.ts";
import { CommitmentCache } from "../public-read/cache/commitment-cache.ts";
import { CommitmentsUpstream } from "../public-read/cache/commitments-upstream.ts";
import { RepresentationStore } from "../public-read/cache/representation-store.ts";
import { RevisionRefresher, type RevisionRefresherOptions } from "../public-read/cache/revision-refresher.ts";
import { SaleFieldsCache } from "../public-read/cache/sale-fields.ts";
import { type RulesClient, SaleRules } from "../public-read/cache/sale-rules.ts";
import { SaleSigners, type SignerClient } from "../public-read/cache/sale-signers.ts";
import { PositionRead } from "../public-read/position/position-read.ts";
import { PublicRead } from "../public-read/public-read.ts";
import { SaleDocuments } from "../public-read/sale-documents.ts";
import { routes } from "../router.ts";
import { AllocationReads } from "../sale-page/allocations/allocation-reads.ts";
import { HomePages } from "../sale-page/home-pages.ts";
import { SalePages } from "../sale-page/sale-pages.ts";
import { type HttpServer, openHttpServer } from "../server.ts";
import { SaleStreams } from "../streams/sale-streams.ts";
import { streamRoute } from "../streams/stream-route.ts";
import { createAccessLog } from "../web/http/access-log.ts";
import { createCounters } from "../web/http/counters.ts";
import { dispatch } from "../web/http/dispatch.ts";
import { ErrorResponder } from "../web/http/error-responder.ts";
import { honoRoutes } from "../web/http/hono-routes.ts";
import { logoRoute } from "../web/pages/logo-route.ts";
import { Logos } from "../web/pages/logos.ts";
import { FakeCommitments, SALE, saleAt } from "./fake-commitments.ts";

export const silentLogger = pino({ level: "silent" });

/**
 * Returns the gateway's parts around a fake commitments service and a clock that only tests move. The fake has `SALE`
 * at revision 1.
 */
export function gatewayParts(
  variables: Record<string, string> = {},
  logger: Logger = silentLogger,
  entitiesClient: Partial<SignerClient & RulesClient> = {},
  refresherOptions: Pick<RevisionRefresherOptions, "onMissed"> = {},
) {
  const clock = { now: 1_000_000, random: 0.5 };
  const now = () => clock.now;
  const fake = new FakeCommitments();
  fake.sales.set(SALE, saleAt(1n));
  const config = gatewayConfig(new Env({ GATEWAY_PORT: "0", ...variables }));
  const counters = createCounters();
  const timeoutMs = config.cache.callTimeoutMs;
  const upstream = new CommitmentsUpstream({ client: fake.client, timeoutMs, counters, logger });
  const store = new RepresentationStore(config.cache);
  const cache = new CommitmentCache({ upstream, store, config: config.cache, now, random: () => clock.random });
  const refresher = new RevisionRefresher({ cache, upstream, now, logger, ...refresherOptions });
  const documents = new SaleDocuments({ client: fake.client, config: config.cache, now, logger });
  const addressOf = (request: IncomingMessage) => config.trustedProxies.addressOf(request);
  const { callTimeoutMs, maxSales, maxLoads } = config.cache;
  const { getSigner, getPublicRules } = entitiesClient;
  const bounds = { timeoutMs: callTimeoutMs, maxSales, maxLoads, now, logger };
  const signers = new SaleSigners({ ...bounds, client: getSigner && { getSigner } });
  const saleRules = new SaleRules({ ...bounds, client: getPublicRules && { getPublicRules }, wallClock: now });
  const saleFields = new SaleFieldsCache({ signers, origin: config.publicBaseUrl ?? "" });
  const streams = new SaleStreams({
    cache,
    saleFields,
    config: config.streams,
    addressOf,
    counters,
    now,
    wallClock: now,
  });
  const { publicPathPrefix: pathPrefix, publicBaseUrl: origin } = config;
  const errors = new ErrorResponder(counters, logger);
  const positions = new PositionRead({
    client: fake.client,
    ...{ maxRequestBytes: config.maxRequestBytes, maxReads: config.maxPositionReads, timeoutMs },
    ...{ maxReadsPerAddress: config.maxPositionReadsPerAddress, addressOf },
    ...{ counters, errors, logger },
  });
  const allocations = new AllocationReads({
    ...{ client: fake.client, maxReads: config.maxPositionReads, timeoutMs },
    ...{ maxReadsPerAddress: config.maxPositionReadsPerAddress, addressOf, counters, logger, now },
  });
  const logos = new Logos({ commitments: fake.client, timeoutMs, now });
  const pages = new SalePages({
    ...{ cache, documents, saleFields, saleRules, positions, allocations, logos, counters, logger, now },
    ...{ pathPrefix, origin, wallClock: now },
    home: new HomePages({ client: fake.client, timeoutMs, links: [], now, wallClock: now, logger }),
  });
  const readers = { errors, positions, streams, pages, logos, addressOf };
  return { clock, fake, config, counters, upstream, store, cache, refresher, documents, saleFields, ...readers };
}

export interface RunningGateway extends ReturnType<typeof gatewayParts> {
  readonly server: HttpServer;
  /** Aborted by tests in the way a process that stops does. */
  readonly stopping: AbortController;
}

/** Opens the port of a gateway that doesn't serve yet. */
export async function openGatewayPort({ host, port, http, trustedProxies }: GatewayConfig) {
  const counters = createCounters();
  return { counters, server: await openHttpServer({ host, port, config: http, trustedProxies, counters }) };
}

/** Starts the same parts behind a real server on a free port. Nothing is refreshed in the background. */
export async function runGateway(
  variables: Record<string, string> = {},
  entitiesClient: Partial<SignerClient & RulesClient> = {},
  logger: Logger = silentLogger,
): Promise<RunningGateway> {
  const parts = gatewayParts(variables, logger, entitiesClient);
  const { clock, config, cache, documents, saleFields, errors, positions, streams, pages, logos } = parts;
  const { counters, addressOf } = parts;
  const { publicPathPrefix: pathPrefix, maxRequestBytes, http, trustedProxies } = config;
  const table = routes({
    pathPrefix,
    publicRead: new PublicRead({
      maxRequestBytes,
      cache,
      documents,
      saleFields,
      counters,
      errors,
      now: () => clock.now,
    }),
    positions,
    stream: streamRoute(streams, errors),
    logo: logoRoute(logos, addressOf, errors),
    salePages: pages,
    apiPages: createApiPages({ pathPrefix, logger: silentLogger }),
    errors,
    takesIdentityCallbacks: false,
  });
  const stopping = new AbortController();
  const address = { host: config.host, port: config.port };
  const accessLog = config.accessLog && createAccessLog(config.accessLog, { logger, now: () => clock.now });
  const options = { config: http, trustedProxies, counters, accessLog, stopping: stopping.signal };
  const server = await openHttpServer({ ...address, ...options });
  server.serve(
    dispatch(honoRoutes(table, new Registry(), { onlyHttps: false }), {
      authOrigin: undefined,
      notFound: errors.notFound,
      ambiguous: errors.ambiguousPath,
      notesRoutes: config.accessLog !== undefined,
    }),
  );
  return { ...parts, server, stopping };
}
