import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { requestPath } from "./request-path.ts";

/**
 * Answers a request.
 *
 * @param parameter the part of the path that `{name}` or `*` stands for, undecoded and unchecked; empty for an exact path
 */
export type RouteHandler = (request: IncomingMessage, response: ServerResponse, parameter: string) => void;

/**
 * A row of the routing table. The path is exact, or has one `{name}` for a segment, or ends with `*` for any rest. Paths are
 * compared as they were sent (see `requestPath`).
 *
 * `host` matters only where sign-in has a host of its own: that host serves the `auth` routes alone, every other host the
 * `public` ones.
 */
export type Route<Handler = RouteHandler> = readonly [
  path: string,
  owner: string,
  host: "public" | "auth",
  handler: Handler,
];

export interface DispatchOptions {
  /** Host of sign-in, where it has one of its own. */
  readonly authHost: string | undefined;
  /** Answers requests that no route matches. */
  readonly notFound: RouteHandler;
}

/** Returns the listener that hands each request to the first route that matches; exact paths are tried before all others. */
export function dispatch(routes: readonly Route[], { authHost, notFound }: DispatchOptions): RequestListener {
  if (authHost === undefined) return listenerOf(routes, notFound);
  const onHost = (wanted: "public" | "auth") =>
    listenerOf(
      routes.filter(([, , host]) => host === wanted),
      notFound,
    );
  const [serveAuth, servePublic] = [onHost("auth"), onHost("public")];
  return (request, response) => {
    if (request.headers.host === authHost) serveAuth(request, response);
    else servePublic(request, response);
  };
}

/** A path with a variable part. */
interface Pattern {
  readonly prefix: string;
  readonly suffix: string;
  /** Whether the variable part is one segment that isn't empty; else it is any text. */
  readonly isSegment: boolean;
  readonly handler: RouteHandler;
}

function listenerOf(routes: readonly Route[], notFound: RouteHandler): RequestListener {
  const exact = new Map<string, RouteHandler>();
  const patterns: Pattern[] = [];
  for (const [path, , , handler] of routes) {
    const [prefix = "", suffix] = path.split(/\{\w+\}|\*$/);
    if (suffix !== undefined) patterns.push({ prefix, suffix, isSegment: !path.endsWith("*"), handler });
    else if (!exact.has(path)) exact.set(path, handler);
  }
  return (request, response) => {
    const target = request.url ?? "";
    // Most targets are a path alone: the public read finds its handler without taking the target apart.
    const direct = exact.get(target);
    if (direct !== undefined) direct(request, response, "");
    else dispatchPath(requestPath(target), request, response);
  };

  function dispatchPath(path: string, request: IncomingMessage, response: ServerResponse): void {
    const handler = exact.get(path);
    if (handler !== undefined) {
      handler(request, response, "");
      return;
    }
    for (const pattern of patterns) {
      const parameter = parameterOf(path, pattern);
      if (parameter === undefined) continue;
      pattern.handler(request, response, parameter);
      return;
    }
    notFound(request, response, "");
  }
}

/** Returns the variable part of a path; undefined where the path doesn't match. */
function parameterOf(path: string, { prefix, suffix, isSegment }: Pattern): string | undefined {
  const length = path.length - prefix.length - suffix.length;
  if (length < 0 || !path.startsWith(prefix) || !path.endsWith(suffix)) return undefined;
  const parameter = path.slice(prefix.length, prefix.length + length);
  return isSegment && (parameter === "" || parameter.includes("/")) ? undefined : parameter;
}
