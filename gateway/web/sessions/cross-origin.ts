import type { MiddlewareHandler } from "hono";
import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import type { AuthContext, AuthEnv } from "../http/hono-context.ts";
import { ownText } from "../http/own-text.ts";
import { TtlCache } from "../http/ttl-cache.ts";
import { ANSWER_MAX_AGE_MS, ORIGIN_PREFLIGHT_S, ORIGIN_TTL_MS } from "../lifetimes.ts";
import type { AuthDependencies } from "./auth-dependencies.ts";

const MAX_ORIGINS = 1_000;
/** Unregistered origins held, apart, so that they displace no registered one. Anybody can name some. */
const MAX_STRANGERS = 10_000;
/** An origin (RFC 6454) as browsers write it, in ASCII. Only such origins can be registered. */
const ORIGIN = /^https?:\/\/(?:(?![/?#@])[!-~]){1,255}$/;

/**
 * Returns the CORS middleware of the endpoints that applications call. Pages may read an answer, errors included, if
 * a client has registered a redirect URI of their origin. Credentials are never allowed. While origins can't be
 * checked, no page may.
 */
export function registeredOrigins({ clients, config, now, logger }: AuthDependencies): MiddlewareHandler<AuthEnv> {
  const strangers = new LRUCache<string, number>(atMost(MAX_STRANGERS));
  const origins = new TtlCache<boolean>({
    load: async (origin) => (await clients.authorization.checkOrigin({ origin })).registered,
    isHeld: (registered) => registered,
    ttlMs: ORIGIN_TTL_MS,
    maxAgeMs: ANSWER_MAX_AGE_MS,
    maxEntries: MAX_ORIGINS,
    now,
  });
  const isRegistered = async (origin: string): Promise<boolean> => {
    if (origin === config.authUrl || !ORIGIN.test(origin) || now() < (strangers.get(origin) ?? 0)) return false;
    const own = ownText(origin);
    try {
      const registered = await origins.get(own);
      if (!registered) strangers.set(own, now() + ORIGIN_TTL_MS);
      return registered;
    } catch (error) {
      logger.warn({ err: error }, "origin can't be checked");
      return false;
    }
  };
  return async (c, next) => {
    const origin = c.req.header("origin") ?? "";
    const [registered] = await Promise.all([isRegistered(origin), next()]);
    c.res.headers.append("Vary", "Origin");
    if (registered) allowOrigin(c, origin);
  };
}

function allowOrigin(c: AuthContext, origin: string): void {
  const { headers } = c.res;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After, DPoP-Nonce");
}

/** Returns the answer to a preflight. `registeredOrigins` adds whether the origin is allowed. */
export function preflight(c: AuthContext, methods: string): Response {
  return c.body(null, 204, {
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Allow-Headers": "authorization, content-type, dpop",
    "Access-Control-Max-Age": String(ORIGIN_PREFLIGHT_S),
  });
}
