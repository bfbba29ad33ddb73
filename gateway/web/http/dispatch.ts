import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isAmbiguousPath, requestPath } from "./request-path.ts";
import { noteRoute } from "./request-route.ts";

/**
 * Answers a request.
 *
 * @param parameter the part of the path that `{name}` or `*` matches, undecoded and unchecked; empty for an exact
 *   path
 * @param route the path of the table's row
 */
export type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  parameter: string,
  route: string,
) => void;

/**
 * A row of the routing table. The path is exact, or has one `{name}` for a segment, or ends with `*` for any rest.
 * Paths are compared as they were sent (see `requestPath`), and an ambiguous one reaches no route, so that every part of
 * the gateway understands a path as this table does.
 *
 * `host` matters only where sign-in has a host of its own: that host serves the `auth` routes alone, every other host
 * the `public` ones.
 */
export type Route<Handler = RouteHandler> = readonly [
  path: string,
  owner: string,
  host: "public" | "auth",
  handler: Handler,
];

export interface DispatchOptions {
  /** Origin of sign-in, where it has a host of its own. */
  readonly authOrigin: string | undefined;
  /** Answers requests that no route matches. */
  readonly notFound: RouteHandler;
  /** Answers requests with an ambiguous path (see `isAmbiguousPath`). */
  readonly ambiguous: RouteHandler;
  /** Whether each request's route is noted, for an access log. Off by default: then it costs nothing. */
  readonly notesRoutes?: boolean;
}

/** Returns the listener that hands each request to the first route that matches. */
export function dispatch(routes: readonly Route[], options: DispatchOptions): RequestListener {
  if (options.authOrigin === undefined) return listenerOf(routes, options);
  const isAuthHost = hostMatcher(options.authOrigin);
  const onHost = (wanted: "public" | "auth") =>
    listenerOf(
      routes.filter(([, , host]) => host === wanted),
      options,
    );
  const [serveAuth, servePublic] = [onHost("auth"), onHost("public")];
  return (request, response) => {
    if (isAuthHost(request.headers.host)) serveAuth(request, response);
    else servePublic(request, response);
  };
}

/** A path taken apart around its variable part, which is empty for an exact path. */
interface Matcher {
  readonly prefix: string;
  readonly suffix: string;
  readonly kind: "exact" | "segment" | "rest";
  readonly route: string;
  readonly handler: RouteHandler;
}

function listenerOf(
  routes: readonly Route[],
  { notFound, ambiguous, notesRoutes = false }: Omit<DispatchOptions, "authOrigin">,
): RequestListener {
  const matchers = routes.map(([path, , , handler]) => matcherOf(path, notesRoutes ? noting(handler) : handler));
  const [first] = matchers;
  return (request, response) => {
    const target = request.url ?? "";
    // The first route is the most wanted one: its requests go without the regular expression.
    if (first?.kind === "exact" && target === first.prefix) {
      first.handler(request, response, "", first.route);
      return;
    }
    const path = requestPath(target);
    if (isAmbiguousPath(path)) {
      ambiguous(request, response, "", "");
      return;
    }
    for (const matcher of matchers) {
      const parameter = parameterOf(path, matcher);
      if (parameter === undefined) continue;
      matcher.handler(request, response, parameter, matcher.route);
      return;
    }
    notFound(request, response, "", "");
  };
}

function noting(handler: RouteHandler): RouteHandler {
  return (request, response, parameter, route) => {
    noteRoute(response, route);
    handler(request, response, parameter, route);
  };
}

function matcherOf(route: string, handler: RouteHandler): Matcher {
  const [prefix = "", suffix] = route.split(/\{\w+\}|\*$/);
  if (suffix === undefined) return { prefix, suffix: "", kind: "exact", route, handler };
  return { prefix, suffix, kind: route.endsWith("*") ? "rest" : "segment", route, handler };
}

/** Returns the variable part of a path; undefined where the path doesn't match. */
function parameterOf(path: string, { prefix, suffix, kind }: Matcher): string | undefined {
  if (kind === "exact") return path === prefix ? "" : undefined;
  const end = path.length - suffix.length;
  if (end < prefix.length || !path.startsWith(prefix) || !path.endsWith(suffix)) return undefined;
  const parameter = path.slice(prefix.length, end);
  return kind === "segment" && (parameter === "" || parameter.includes("/")) ? undefined : parameter;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/**
 * Returns a function that says whether a `Host` header names the host of a URL: in any case, with or without the scheme's
 * default port (RFC 9110 section 4.2.3).
 *
 * @param url an http or https URL
 */
export function hostMatcher(url: string): (host: string | undefined) => boolean {
  const { protocol, host, port } = new URL(url);
  const written = port === "" ? [host, `${host}:${DEFAULT_PORTS[protocol]}`] : [host];
  return (header) => header !== undefined && written.includes(header.toLowerCase());
}
