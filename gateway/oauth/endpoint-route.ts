import { Hono, type MiddlewareHandler } from "hono";
import type { AuthContext, AuthEnv } from "../web/http/hono-context.ts";
import type { HonoRoute } from "../web/http/hono-routes.ts";
import { ANY_HEADER } from "../web/http/public-headers.ts";
import { ORIGIN_PREFLIGHT_S } from "../web/lifetimes.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { preflight } from "../web/sessions/cross-origin.ts";
import { answerOAuthError, invalidRequest } from "./oauth-error.ts";

/** The handlers of an endpoint by method. */
export type EndpointHandlers = Readonly<Partial<Record<"GET" | "POST", (c: AuthContext) => Promise<Response>>>>;

/**
 * Headers of published documents. Their lifetime is much shorter than the time for which a new key is published
 * before it signs.
 */
const PUBLISHED_HEADERS = {
  "Content-Type": "application/json",
  "Cache-Control": "public, max-age=300",
  "X-Content-Type-Options": "nosniff",
};

const PUBLISHED_PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": ANY_HEADER,
  "Access-Control-Max-Age": String(ORIGIN_PREFLIGHT_S),
};

/**
 * Returns a function that makes the route of an endpoint that applications call: its answers are never stored, pages of
 * registered origins may read them, and errors are OAuth errors in JSON.
 *
 * @param cors `registeredOrigins` of the gateway
 */
export function endpointRoutes(
  cors: MiddlewareHandler<AuthEnv>,
  dependencies: AuthDependencies,
): (handlers: EndpointHandlers) => HonoRoute {
  return (handlers) => ({
    register(parent, path) {
      const methods = Object.keys(handlers);
      const app = new Hono<AuthEnv>();
      app.onError((error, c) => answerOAuthError(c, error, dependencies));
      app.use(path, cors, neverStored);
      app.options(path, (c) => preflight(c, methods.join(", ")));
      for (const [method, handle] of Object.entries(handlers)) app.on(method, path, handle);
      app.all(path, () => refuseMethod([...methods, "OPTIONS"]));
      parent.route("/", app);
    },
  });
}

/** Returns the route of an endpoint for servers only: without CORS, no page can read an answer, not even an error. */
export function serverRoute(
  handle: (c: AuthContext) => Promise<Response>,
  dependencies: Pick<AuthDependencies, "logger">,
): HonoRoute {
  return {
    register(parent, path) {
      const app = new Hono<AuthEnv>();
      app.onError((error, c) => answerOAuthError(c, error, dependencies));
      app.use(path, neverStored);
      app.post(path, handle);
      app.all(path, () => refuseMethod(["POST"]));
      parent.route("/", app);
    },
  };
}

/** Returns the route of a JSON document for every application, which any page may read, errors included. */
export function publishedRoute(json: () => Promise<string>, dependencies: Pick<AuthDependencies, "logger">): HonoRoute {
  return {
    register(parent, path) {
      const app = new Hono<AuthEnv>();
      app.onError((error, c) => answerOAuthError(c, error, dependencies));
      app.use(path, readByAnyPage);
      app.options(path, (c) => c.body(null, 204, PUBLISHED_PREFLIGHT));
      app.get(path, async (c) => c.body(await json(), 200, PUBLISHED_HEADERS));
      app.all(path, () => refuseMethod(["GET", "HEAD", "OPTIONS"]));
      parent.route("/", app);
    },
  };
}

async function readByAnyPage(c: AuthContext, next: () => Promise<void>): Promise<void> {
  c.header("Access-Control-Allow-Origin", "*");
  await next();
}

async function neverStored(c: AuthContext, next: () => Promise<void>): Promise<void> {
  c.header("Cache-Control", "no-store");
  c.header("Pragma", "no-cache");
  c.header("X-Content-Type-Options", "nosniff");
  await next();
}

function refuseMethod(methods: readonly string[]): never {
  const allow = methods.join(", ");
  throw invalidRequest(`only ${allow}`, { status: 405, headers: { Allow: allow } });
}
