import type { IncomingMessage, RequestListener } from "node:http";
import type { Registry } from "prom-client";
import type { Bus } from "../services/shared/bus/bus.ts";
import type { Lifecycle } from "../services/shared/lifecycle/lifecycle.ts";
import type { Logger } from "../services/shared/log/log.ts";
import { createAuthSurface } from "./auth-surface.ts";
import type { GatewayConfig } from "./config.ts";
import type { DashboardServices } from "./dashboard/dashboard-dependencies.ts";
import type { ExportClient } from "./dashboard/export/export-commitments.ts";
import { createApiPages } from "./openapi/api-pages.ts";
import { CommitmentCache } from "./public-read/cache/commitment-cache.ts";
import { type CommitmentClient, CommitmentsUpstream } from "./public-read/cache/commitments-upstream.ts";
import { RepresentationStore } from "./public-read/cache/representation-store.ts";
import { RevisionRefresher } from "./public-read/cache/revision-refresher.ts";
import { UpdateFollower } from "./public-read/cache/update-follower.ts";
import { PublicRead } from "./public-read/public-read.ts";
import { type DocumentClient, SaleDocuments } from "./public-read/sale-documents.ts";
import { SaleExtras } from "./public-read/sale-extras.ts";
import { SalePages } from "./sale-page/sale-pages.ts";
import type { HttpServer } from "./server.ts";
import { SaleStreams } from "./streams/sale-streams.ts";
import { type AuthSurfaceConfig, ownHostOf } from "./web/auth/auth-config.ts";
import type { AuthClients } from "./web/auth/auth-dependencies.ts";
import { addressOfRequest } from "./web/auth/request-peer.ts";
import { exportCounters, type GatewayCounters } from "./web/http/counters.ts";
import { requestOwners } from "./web/http/request-owners.ts";

/** The background refresh runs at this part of `maxStaleMs`: one that fails or lasts leaves time for the next. */
const REFRESH_SHARE = 0.4;

export interface GatewayOptions {
  readonly config: GatewayConfig;
  /** `GATEWAY_PORT`. */
  readonly server: HttpServer;
  /** Those of the server, too. */
  readonly counters: GatewayCounters;
  readonly commitments: CommitmentClient & DocumentClient & ExportClient;
  /** Sign-in and OAuth; without it there is the public read only. */
  readonly auth?: GatewayAuth;
  /** Without it, the commitments service is asked what has changed. Closed by its owner, after the gateway has stopped. */
  readonly bus?: Bus;
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  readonly logger: Logger;
}

export interface GatewayAuth {
  readonly config: AuthSurfaceConfig;
  readonly clients: AuthClients;
  /** For the founder's pages; without it there are none. */
  readonly dashboard?: DashboardServices | undefined;
}

/**
 * Starts the gateway in this process; it stops with the lifecycle. Ready once the commitments service has answered;
 * it stays so when that fails later, since what is held still serves.
 */
export function startGateway(options: GatewayOptions): void {
  const { config, server, counters, commitments, auth, bus, lifecycle, registry, logger } = options;
  const now = (): number => performance.now();
  const store = new RepresentationStore(config.cache);
  const timeoutMs = config.cache.callTimeoutMs;
  const upstream = new CommitmentsUpstream({ client: commitments, timeoutMs, counters, logger });
  const cache = new CommitmentCache({ upstream, store, config: config.cache, now });
  const refresher = new RevisionRefresher({ cache, upstream, now, logger });
  const { publicPathPrefix: pathPrefix, maxRequestBytes } = config;
  const others = requestOwners([
    ...(auth === undefined
      ? []
      : [createAuthSurface({ ...auth, exports: commitments, publicPathPrefix: pathPrefix, logger, now, registry })]),
    createApiPages({ pathPrefix, auth: auth?.config, logger }),
  ]);
  const documents = new SaleDocuments({ client: commitments, config: config.cache, now, logger });
  const addressOf = (request: IncomingMessage) => addressOfRequest(request, config.trustedProxies);
  const streams = new SaleStreams({ cache, config: config.streams, addressOf, counters, now });
  const extras = new SaleExtras({ documents, streams, counters });
  const origin = auth?.config.publicBaseUrl ?? config.publicBaseUrl;
  const pages = new SalePages({ cache, documents, counters, pathPrefix, origin, logger, now });
  const shared = { pathPrefix, maxRequestBytes, cache, extras, pages, counters, logger };
  const read = new PublicRead({ ...shared, others });
  server.serve(handlerOf(read, auth && ownHostOf(auth.config)));
  exportCounters(counters, store, registry);
  refresher.start(config.cache.maxStaleMs * REFRESH_SHARE);
  streams.start();
  lifecycle.addReadinessCheck("commitments", () => refresher.hasReachedUpstream || "has not answered yet");
  lifecycle.onStop("revision refresher", () => refresher.stop());
  const refresh = () => refresher.refresh();
  const follower = new UpdateFollower({ cache, refresh, maxSales: config.cache.maxLoads, logger });
  if (bus !== undefined) lifecycle.onStop("update follower", follower.listen(bus));
  lifecycle.onStop("public http", (deadline) => server.close(deadline));
  lifecycle.onStop("streams", () => streams.stop());
}

/** @param authHost where it isn't the public read's, it has only what is its own */
function handlerOf(read: PublicRead, authHost: string | undefined): RequestListener {
  const handle = read.handle.bind(read);
  if (authHost === undefined) return handle;
  return (request, response) => {
    if (request.headers.host === authHost) read.handleOther(request, response);
    else handle(request, response);
  };
}
