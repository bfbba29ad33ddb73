import type { IncomingMessage } from "node:http";
import type { Registry } from "prom-client";
import type { Bus } from "../common/platform/bus/bus.ts";
import type { Lifecycle } from "../common/platform/lifecycle/lifecycle.ts";
import type { Logger } from "../common/platform/log/log.ts";
import type { GatewayConfig } from "./config.ts";
import { CheckLimit } from "./dashboard/base/check-limit.ts";
import type { DashboardServices } from "./dashboard/base/dashboard-dependencies.ts";
import { ListedTokens } from "./dashboard/base/listed-tokens.ts";
import { RecentChecks } from "./dashboard/base/recent-checks.ts";
import { TokenFacts } from "./dashboard/base/token-facts.ts";
import type { ExportClient } from "./dashboard/files/export-commitments.ts";
import { createApiPages } from "./openapi/api-pages.ts";
import { DOCS_PATH } from "./openapi/api-paths.ts";
import { identityCallbackPath } from "./public-calls/identity-callbacks.ts";
import { CommitmentCache } from "./public-read/cache/commitment-cache.ts";
import { type CommitmentClient, CommitmentsUpstream } from "./public-read/cache/commitments-upstream.ts";
import { MissedEvents } from "./public-read/cache/missed-events.ts";
import { RepresentationStore } from "./public-read/cache/representation-store.ts";
import { RevisionRefresher } from "./public-read/cache/revision-refresher.ts";
import { saleContact } from "./public-read/cache/sale-contact.ts";
import { SaleFieldsCache } from "./public-read/cache/sale-fields.ts";
import { SaleRules } from "./public-read/cache/sale-rules.ts";
import { SaleSigners } from "./public-read/cache/sale-signers.ts";
import { UpdateFollower } from "./public-read/cache/update-follower.ts";
import { type PositionClient, PositionRead } from "./public-read/position/position-read.ts";
import { publicPaths } from "./public-read/public-paths.ts";
import { PublicRead } from "./public-read/public-read.ts";
import { type DocumentClient, SaleDocuments } from "./public-read/sale-documents.ts";
import { routes, type Surfaces } from "./router.ts";
import { type AllocationClient, AllocationReads } from "./sale-page/allocations/allocation-reads.ts";
import type { HomeLink } from "./sale-page/home-page.ts";
import { HomePages, type HomePagesOptions } from "./sale-page/home-pages.ts";
import { SalePages } from "./sale-page/sale-pages.ts";
import type { HttpServer } from "./server.ts";
import { SaleStreams } from "./streams/sale-streams.ts";
import { streamRoute } from "./streams/stream-route.ts";
import { exportCounters, type GatewayCounters } from "./web/http/counters.ts";
import { dispatch } from "./web/http/dispatch.ts";
import { ErrorResponder } from "./web/http/error-responder.ts";
import { honoRoutes } from "./web/http/hono-routes.ts";
import { logoRoute } from "./web/pages/logo-route.ts";
import { Logos, type LogosOptions } from "./web/pages/logos.ts";
import { type AuthSurfaceConfig, ownOriginOf } from "./web/sessions/auth-config.ts";
import type { AuthClients } from "./web/sessions/auth-dependencies.ts";
import { AUTH_PATHS, DASHBOARD_PATH } from "./web/sessions/auth-paths.ts";
import { BrowserCookies } from "./web/sessions/browser-cookies.ts";
import type { EntitiesUpstream } from "./web/sessions/entities-upstream.ts";

/**
 * Interval of the background refresh, as a share of `maxStaleMs`: after a failed or slow refresh there is time for
 * the next.
 */
const REFRESH_SHARE = 0.4;

export interface GatewayOptions {
  readonly config: GatewayConfig;
  /** Listens on `GATEWAY_PORT`. */
  readonly server: HttpServer;
  /** Also counted by the server. */
  readonly counters: GatewayCounters;
  readonly commitments: LogosOptions["commitments"] &
    HomePagesOptions["client"] &
    CommitmentClient &
    DocumentClient &
    PositionClient &
    AllocationClient &
    ExportClient;
  /** Sign-in and OAuth; without it there is the public read only. */
  readonly auth?: GatewayAuth;
  /**
   * Brings events of changed sales; without it the gateway polls the commitments service. Its owner closes it after the
   * gateway has stopped.
   */
  readonly bus?: Bus;
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  readonly logger: Logger;
}

export interface GatewayAuth {
  readonly config: AuthSurfaceConfig;
  readonly clients: AuthClients;
  /** The clients of the entities service, without which nobody takes part through this gateway. */
  readonly entitiesUpstream?: EntitiesUpstream | undefined;
  /** Services of the founder's pages; without them there are no such pages. */
  readonly dashboard?: DashboardServices | undefined;
}

/**
 * Starts the gateway in this process; it stops with the lifecycle. It is ready once the commitments service has
 * answered, and stays ready when that fails later, since the cached bodies still serve.
 */
export function startGateway(options: GatewayOptions): void {
  const { config, server, counters, commitments, auth, bus, lifecycle, registry, logger } = options;
  const now = (): number => performance.now();
  const store = new RepresentationStore(config.cache);
  const timeoutMs = config.cache.callTimeoutMs;
  const upstream = new CommitmentsUpstream({ client: commitments, timeoutMs, counters, logger });
  const cache = new CommitmentCache({ upstream, store, config: config.cache, now });
  const missed = new MissedEvents({ bus, now });
  const refresher = new RevisionRefresher({ cache, upstream, now, onMissed: () => missed.noteChange(), logger });
  const saleFields = saleFieldsOf(options, now);
  const streams = new SaleStreams({
    cache,
    saleFields,
    config: config.streams,
    addressOf: addressReader(config),
    counters,
    now,
    wallClock: Date.now,
  });
  const documents = new SaleDocuments({ client: commitments, config: config.cache, now, logger });
  const surfaces = surfacesOf(options, { cache, documents, saleFields, streams, now });
  server.serve(
    dispatch(
      honoRoutes(routes(surfaces), registry, { onlyHttps: auth?.config.authUrl.startsWith("https:") ?? false }),
      {
        authOrigin: auth && ownOriginOf(auth.config),
        notFound: surfaces.errors.notFound,
        ambiguous: surfaces.errors.ambiguousPath,
        notesRoutes: config.accessLog !== undefined,
      },
    ),
  );
  exportCounters(counters, store, registry);
  logCallbackUrl(options);
  refresher.start(config.cache.maxStaleMs * REFRESH_SHARE);
  lifecycle.addReadinessCheck("commitments", () => refresher.status());
  lifecycle.onStop("revision refresher", () => refresher.stop());
  const follower = new UpdateFollower({
    cache,
    documents,
    refresh: () => refresher.refresh(),
    maxSales: config.cache.maxLoads,
    onEvent: () => missed.noteEvent(),
    logger,
  });
  if (bus !== undefined) lifecycle.onStop("update follower", follower.listen(bus));
  lifecycle.onStop("public http", (deadline) => server.close(deadline));
  lifecycle.onStop("streams", () => streams.stop());
}

/** Returns the URL to which the vendor of identity checks sends callbacks. */
export function identityCallbackUrl(
  { publicPathPrefix }: Pick<GatewayConfig, "publicPathPrefix">,
  { publicBaseUrl }: Pick<AuthSurfaceConfig, "publicBaseUrl">,
): string {
  return publicBaseUrl + identityCallbackPath(publicPathPrefix);
}

function logCallbackUrl({ config, auth, logger }: GatewayOptions): void {
  if (!config.identityCallbacks || auth?.entitiesUpstream === undefined) return;
  const url = identityCallbackUrl(config, auth.config);
  logger.info({ url }, "callbacks of the identity vendor are taken at this URL");
}

/** Returns a function that gives the address of a request's client. */
function addressReader({ trustedProxies }: GatewayConfig): (request: IncomingMessage) => string {
  return (request) => trustedProxies.addressOf(request);
}

interface SharedDependencies {
  readonly cache: CommitmentCache;
  readonly documents: SaleDocuments;
  readonly saleFields: SaleFieldsCache;
  readonly streams: SaleStreams;
  readonly now: () => number;
}

/** Returns the origin of public pages; undefined where the operator has configured none. */
function publicOrigin({ config, auth }: GatewayOptions): string | undefined {
  return auth?.config.publicBaseUrl ?? config.publicBaseUrl;
}

function saleFieldsOf(options: GatewayOptions, now: () => number): SaleFieldsCache {
  const { config, auth, logger } = options;
  const { callTimeoutMs: timeoutMs, maxSales, maxLoads } = config.cache;
  const client = auth?.entitiesUpstream?.permits;
  const signers = new SaleSigners({ client, timeoutMs, maxSales, maxLoads, now, logger });
  return new SaleFieldsCache({ signers, origin: publicOrigin(options) ?? "" });
}

function saleRulesOf({ config, auth, logger }: GatewayOptions, now: () => number): SaleRules {
  const { callTimeoutMs: timeoutMs, maxSales, maxLoads } = config.cache;
  const client = auth?.entitiesUpstream?.eligibility;
  return new SaleRules({ client, timeoutMs, maxSales, maxLoads, now, wallClock: Date.now, logger });
}

function logosOf({ config, commitments, auth }: GatewayOptions, now: () => number): Logos {
  return new Logos({ commitments, clients: auth?.clients.clients, timeoutMs: config.cache.callTimeoutMs, now });
}

function surfacesOf(
  options: GatewayOptions,
  { cache, documents, saleFields, streams, now }: SharedDependencies,
): Surfaces {
  const { config, counters, auth, logger } = options;
  const { publicPathPrefix: pathPrefix, maxRequestBytes } = config;
  const errors = new ErrorResponder(counters, logger);
  const origin = publicOrigin(options);
  const positions = positionRead(options, errors);
  const logos = logosOf(options, now);
  return {
    pathPrefix,
    publicRead: new PublicRead({ maxRequestBytes, cache, documents, saleFields, counters, errors, now }),
    positions,
    stream: streamRoute(streams, errors),
    logo: logoRoute(logos, addressReader(config), errors),
    salePages: new SalePages({
      cache,
      documents,
      positions,
      allocations: allocationReads(options, now),
      saleFields,
      saleRules: saleRulesOf(options, now),
      logos,
      counters,
      pathPrefix,
      origin,
      home: new HomePages({
        client: options.commitments,
        timeoutMs: config.cache.callTimeoutMs,
        links: homeLinks(auth),
        now,
        wallClock: Date.now,
        logger,
      }),
      logger,
      now,
      wallClock: Date.now,
    }),
    apiPages: createApiPages({
      pathPrefix,
      auth: auth?.config,
      hasPublicCalls: auth?.entitiesUpstream !== undefined,
      takesIdentityCallbacks: config.identityCallbacks,
      logger,
    }),
    errors,
    takesIdentityCallbacks: config.identityCallbacks,
    ...(auth && authSurfacesOf(auth, options, { cache, now })),
  };
}

function positionRead({ config, commitments, counters, logger }: GatewayOptions, errors: ErrorResponder): PositionRead {
  return new PositionRead({
    client: commitments,
    maxRequestBytes: config.maxRequestBytes,
    maxReads: config.maxPositionReads,
    maxReadsPerAddress: config.maxPositionReadsPerAddress,
    addressOf: addressReader(config),
    timeoutMs: config.cache.callTimeoutMs,
    counters,
    errors,
    logger,
  });
}

function allocationReads(
  { config, commitments: client, counters, logger }: GatewayOptions,
  now: () => number,
): AllocationReads {
  const { maxPositionReads: maxReads, maxPositionReadsPerAddress: maxReadsPerAddress } = config;
  const timeoutMs = config.cache.callTimeoutMs;
  return new AllocationReads({
    ...{ client, maxReads, maxReadsPerAddress, addressOf: addressReader(config), timeoutMs, counters, logger, now },
  });
}

/** Returns the links of the page at `/`: to whatever this gateway serves. */
function homeLinks(auth: GatewayAuth | undefined): readonly HomeLink[] {
  const docs: HomeLink = { href: DOCS_PATH, text: ({ home }) => home.api, detail: ({ home }) => home.apiDetail };
  if (auth === undefined) return [docs];
  const { authUrl } = auth.config;
  const dashboard: HomeLink = {
    href: authUrl + DASHBOARD_PATH,
    text: ({ home }) => home.dashboard,
    detail: ({ home }) => home.dashboardDetail,
  };
  const account: HomeLink = {
    href: authUrl + AUTH_PATHS.account,
    text: ({ account: texts }) => texts.title,
    detail: ({ home }) => home.accountDetail,
  };
  return [...(auth.dashboard === undefined ? [] : [dashboard]), account, docs];
}

function authSurfacesOf(
  { config, clients, entitiesUpstream, dashboard: services }: GatewayAuth,
  { config: { publicPathPrefix }, commitments, logger }: GatewayOptions,
  { cache, now }: Pick<SharedDependencies, "cache" | "now">,
): Required<Pick<Surfaces, "auth">> & Pick<Surfaces, "dashboard"> {
  const cookies = new BrowserCookies(config.authUrl);
  const hasDashboard = services !== undefined;
  const contactOf = (saleUuid: string) => saleContact(cache, saleUuid);
  const reads = { exports: commitments, positions: commitments, contactOf };
  const auth = { config, clients, entitiesUpstream, ...reads, cookies, hasDashboard, logger, now };
  if (services === undefined) return { auth };
  const { read: publicReadPath, saleScript: saleScriptPath } = publicPaths(publicPathPrefix);
  const paths = { publicReadPath, saleScriptPath, docsPath: DOCS_PATH };
  return {
    auth,
    dashboard: {
      ...auth,
      dashboard: {
        ...services,
        ...paths,
        saleLogos: commitments,
        listedTokens: new ListedTokens(config.stablecoins, services.indexer),
        checkLimit: new CheckLimit(),
        tokenLimit: new CheckLimit(),
        tokenFacts: new TokenFacts(),
        recentChecks: new RecentChecks(),
        saleProgress: async (...asked) =>
          (await import("./dashboard/overview/sale-progress.ts")).saleProgress(...asked),
      },
    },
  };
}
