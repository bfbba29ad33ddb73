import type { ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { routePath } from "hono/route";
import { Counter, Histogram, type Registry } from "prom-client";
import { DURATION_BUCKETS } from "../../../common/platform/metrics/duration-buckets.ts";
import { countedStatus } from "./counted-status.ts";
import { deferAnswer } from "./deferred-answer.ts";
import type { Route, RouteHandler } from "./dispatch.ts";
import type { AuthApp, AuthEnv } from "./hono-context.ts";
import { PublicError } from "./public-error.ts";
import { noteRoute } from "./request-route.ts";
import { traceRequest } from "./request-trace.ts";

/** A route whose requests Hono handles. */
export interface HonoRoute {
  /** Adds the handlers of a path to the app. */
  register(app: AuthApp, path: string): void;
  /** Name in metrics and traces; the path by default. */
  readonly label?: string;
  /** Whether a path that ends with `*` only gets what the routes below it leave: those keep rows of their own. */
  readonly isFallback?: boolean;
}

export interface HonoRoutesOptions {
  /** Whether browsers are to use these routes by HTTPS alone, because `AUTH_URL` is https. */
  readonly onlyHttps: boolean;
}

/**
 * A year (RFC 6797). Without `includeSubDomains`: hosts below that of `AUTH_URL` needn't be Tidemark's. Answers of the
 * public read have none, as a browser that has seen one page knows the host already.
 */
const HSTS = "max-age=31536000";

const NOT_FOUND = new PublicError("not_found", "There is nothing at this path.");
const BAD_TARGET = new PublicError("invalid_argument", "This is no valid HTTP request.");

/**
 * Replaces each Hono route by one that passes its requests to a Hono app, and counts, measures and traces them. The
 * app has all of these routes. One below another that ends with `*` is reached through that: there Hono matches the
 * path, which it decodes, and knows parameters written `:name`.
 */
export function honoRoutes(
  routes: readonly Route<RouteHandler | HonoRoute>[],
  registry: Registry,
  { onlyHttps }: HonoRoutesOptions,
): readonly Route[] {
  const app = new Hono<AuthEnv>();
  app.use(async (c, next) => {
    await next();
    const route = routePath(c);
    // That of this handler itself, where no other has answered.
    if (route !== "/*") noteRoute(c.env.outgoing, tableRoute(route));
  });
  app.notFound(() => responseOf(NOT_FOUND));
  const prefixes = routes.flatMap(([path, , , route]) =>
    isHono(route) && route.isFallback !== true && path.endsWith("*") ? [path.slice(0, -1)] : [],
  );
  const isReachedThroughPrefix = (path: string): boolean =>
    !path.endsWith("*") && !path.includes("{") && prefixes.some((prefix) => path.startsWith(prefix));
  let toHandler: ((label: string) => RouteHandler) | undefined;
  return routes.flatMap(([path, owner, host, route]): Route[] => {
    if (!isHono(route)) return [[path, owner, host, route]];
    const honoPath = path.replace(/\{(\w+)\}/g, ":$1");
    route.register(app, honoPath);
    if (isReachedThroughPrefix(path)) return [];
    toHandler ??= handlersFor(app, registry, onlyHttps);
    return [[path, owner, host, toHandler(route.label ?? honoPath)]];
  });
}

/** Returns a function that makes the handler of the requests of a label. */
function handlersFor(app: AuthApp, registry: Registry, onlyHttps: boolean): (label: string) => RouteHandler {
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    errorHandler: () => responseOf(BAD_TARGET),
  });
  const noteRequest = createAuthRequestMetrics(registry);
  return (label) => (request, response) => {
    deferAnswer(response);
    if (onlyHttps) response.setHeader("Strict-Transport-Security", HSTS);
    noteRequest(response, label);
    void traceRequest(response, label, () => listener(request, response));
  };
}

/** Returns a path of Hono, with parameters written `:name`, as the routing table writes it. */
function tableRoute(honoPath: string): string {
  return honoPath.replace(/:(\w+)/g, "{$1}");
}

function isHono(route: RouteHandler | HonoRoute): route is HonoRoute {
  return typeof route !== "function";
}

function responseOf({ status, headers, body }: PublicError): Response {
  const pairs = headers.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? ""]] : [],
  );
  return new Response(Uint8Array.from(body), { status, headers: pairs });
}

/** Counts and measures a request once its answer has ended or its reader has gone. */
type NoteRequest = (response: ServerResponse, route: string) => void;

/** Registers the metrics of the requests of sign-in, OAuth, account and dashboard, and of the calls of applications. */
export function createAuthRequestMetrics(registry: Registry): NoteRequest {
  const requests = new Counter({
    name: "tidemark_gateway_auth_requests_total",
    help: "Requests to the pages and endpoints of sign-in, OAuth, account and dashboard, and to the calls of applications. A form that leads back to its page counts by what it was refused with.",
    labelNames: ["route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "tidemark_gateway_auth_duration_seconds",
    help: "Duration of these requests, from the request's headers to the end of the response.",
    labelNames: ["route"],
    buckets: [...DURATION_BUCKETS],
    registers: [registry],
  });
  return (response, route) => {
    const stop = durations.startTimer({ route });
    response.once("close", () => {
      stop();
      requests.inc({ route, status: countedStatus(response) });
    });
  };
}
