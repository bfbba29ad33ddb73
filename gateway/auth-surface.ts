import type { IncomingMessage, RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type { Registry } from "prom-client";
import type { Logger } from "../services/shared/log/log.ts";
import { pagesApp } from "./account/pages-app.ts";
import { CheckLimit } from "./dashboard/check-limit.ts";
import { dashboardApp } from "./dashboard/dashboard-app.ts";
import { DASHBOARD_ASSETS } from "./dashboard/dashboard-assets.ts";
import type { DashboardServices } from "./dashboard/dashboard-dependencies.ts";
import { exportApp } from "./dashboard/export/export-app.ts";
import type { ExportClient } from "./dashboard/export/export-commitments.ts";
import { EXPORT_ROUTE, isExportPath } from "./dashboard/export/export-paths.ts";
import { oauthApp } from "./oauth/oauth-app.ts";
import { answerOAuthError } from "./oauth/oauth-error.ts";
import { publicPaths } from "./public-read/public-paths.ts";
import { type AuthSurfaceConfig, ownHostOf } from "./web/auth/auth-config.ts";
import type { AuthClients } from "./web/auth/auth-dependencies.ts";
import { AUTH_PATHS, DASHBOARD_PATH, isAuthTarget } from "./web/auth/auth-paths.ts";
import { BrowserCookies } from "./web/auth/browser-cookies.ts";
import { createAuthRequestMetrics } from "./web/http/auth-request-metrics.ts";
import { deferAnswer } from "./web/http/deferred-answer.ts";
import type { AuthEnv } from "./web/http/hono-context.ts";
import { PublicError } from "./web/http/public-error.ts";
import { requestPath } from "./web/http/request-path.ts";
import { traceRequest } from "./web/http/request-trace.ts";
import { filesApp } from "./web/pages/files-app.ts";
import { PAGE_ASSETS } from "./web/pages/page-assets.ts";

export interface AuthSurfaceOptions {
  /** For the founder's pages; without it there are none. */
  readonly dashboard?: DashboardServices | undefined;
  /** `PUBLIC_PATH_PREFIX`. */
  readonly publicPathPrefix: string;
  readonly config: AuthSurfaceConfig;
  readonly clients: AuthClients;
  readonly exports: ExportClient;
  readonly logger: Logger;
  readonly now: () => number;
  /** Where requests are counted and measured. */
  readonly registry: Registry;
}

/** Sign-in, OAuth and account: what isn't the public read. */
export interface AuthSurface {
  /** Whether a request is for it, by its path, and where `AUTH_URL` is a host of its own, by that. */
  owns(request: IncomingMessage): boolean;
  readonly handle: RequestListener;
}

const AUTH_ROUTES: ReadonlySet<string> = new Set(Object.values(AUTH_PATHS));
const NOT_FOUND = new PublicError("not_found", "There is nothing at this path.");
const BAD_TARGET = new PublicError("invalid_argument", "This is no valid HTTP request.");

export function createAuthSurface({
  config,
  dashboard,
  publicPathPrefix,
  registry,
  ...options
}: AuthSurfaceOptions): AuthSurface {
  const parts = { config, ...options, cookies: new BrowserCookies(config.authUrl) };
  const app = new Hono<AuthEnv>();
  app.route("/", oauthApp(parts));
  app.route("/", exportApp(parts));
  app.route("/", pagesApp(parts));
  const assets = new Map([...PAGE_ASSETS, ...DASHBOARD_ASSETS]);
  app.route("/", filesApp({ ...parts, assets, onError: (c, error) => answerOAuthError(c, error, parts) }));
  if (dashboard !== undefined) {
    const publicReadPath = publicPaths(publicPathPrefix).read;
    app.route(
      "/",
      dashboardApp({ ...parts, dashboard: { ...dashboard, publicReadPath, checkLimit: new CheckLimit() } }),
    );
  }
  app.notFound(() => answerOf(NOT_FOUND));
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    errorHandler: () => answerOf(BAD_TARGET),
  });
  const noteRequest = createAuthRequestMetrics(registry);
  const ownHost = ownHostOf(config);
  return {
    owns: ({ url = "", headers }) => isAuthTarget(url) && (ownHost === undefined || headers.host === ownHost),
    handle: (request, response) => {
      deferAnswer(response);
      const route = routeOf(request.url);
      noteRequest(response, route);
      void traceRequest(request, response, route, () => listener(request, response));
    },
  };
}

/** Its own paths are few; the names of files, and the pages of the dashboard, need not be told apart. */
function routeOf(target = ""): string {
  const path = requestPath(target);
  if (isExportPath(path)) return EXPORT_ROUTE;
  if (path.startsWith(DASHBOARD_PATH)) return DASHBOARD_PATH;
  return AUTH_ROUTES.has(path) ? path : "file";
}

function answerOf({ status, headers, body }: PublicError): Response {
  const pairs = headers.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? ""]] : [],
  );
  return new Response(Uint8Array.from(body), { status, headers: pairs });
}
