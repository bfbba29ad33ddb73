import { Hono } from "hono";
import type { AuthParts } from "../web/auth/auth-dependencies.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import type { AuthApp, AuthContext, AuthEnv } from "../web/http/hono-context.ts";
import { RememberedCalls } from "../web/http/ttl-cache.ts";
import { preflight, registeredOrigins } from "./cross-origin.ts";
import { authorizationServerMetadata } from "./metadata.ts";
import { answerOAuthError, invalidRequest } from "./oauth-error.ts";
import { issueTokens, revokeToken } from "./token.ts";
import { TokenRequests } from "./token-requests.ts";
import { userInfo } from "./userinfo.ts";

/** How long metadata and keys count: much shorter than a key is announced before it signs. */
const PUBLISHED_HEADERS = {
  "Content-Type": "application/json",
  "Cache-Control": "public, max-age=300",
  "Access-Control-Allow-Origin": "*",
  "X-Content-Type-Options": "nosniff",
};
const JWKS_TTL_MS = 10_000;

interface Endpoint {
  readonly path: string;
  readonly methods: readonly string[];
  readonly handle: (c: AuthContext) => Promise<Response>;
}

/** The endpoints that applications call. */
export function oauthApp(parts: AuthParts): AuthApp {
  const app = new Hono<AuthEnv>();
  app.onError((error, c) => answerOAuthError(c, error, parts));
  const cors = registeredOrigins(parts);
  for (const { path, methods, handle } of endpoints(parts)) {
    app.use(path, cors, neverStored);
    app.options(path, (c) => preflight(c, methods.join(", ")));
    app.on([...methods], path, handle);
    app.all(path, () => refuseMethod(methods));
  }
  publish(app, AUTH_PATHS.metadata, metadataOf(parts));
  publish(app, AUTH_PATHS.jwks, jwksOf(parts));
  return app;
}

function endpoints(parts: AuthParts): readonly Endpoint[] {
  const requests = new TokenRequests(parts.clients.authorization);
  return [
    { path: AUTH_PATHS.token, methods: ["POST"], handle: (c) => issueTokens(c, parts, requests) },
    { path: AUTH_PATHS.revoke, methods: ["POST"], handle: (c) => revokeToken(c, parts) },
    { path: AUTH_PATHS.userinfo, methods: ["GET", "POST"], handle: (c) => userInfo(c, parts) },
  ];
}

async function neverStored(c: AuthContext, next: () => Promise<void>): Promise<void> {
  c.header("Cache-Control", "no-store");
  c.header("Pragma", "no-cache");
  c.header("X-Content-Type-Options", "nosniff");
  await next();
}

function publish(app: AuthApp, path: string, json: () => Promise<string>): void {
  app.options(path, (c) => c.body(null, 204, { "Access-Control-Allow-Origin": "*" }));
  app.get(path, async (c) => c.body(await json(), 200, PUBLISHED_HEADERS));
  app.all(path, () => refuseMethod(["GET", "HEAD"]));
}

function metadataOf({ config }: AuthParts): () => Promise<string> {
  const metadata = authorizationServerMetadata(config.authUrl);
  return async () => metadata;
}

function jwksOf({ clients, now }: AuthParts): () => Promise<string> {
  const jwks = new RememberedCalls<string>({
    load: async () => (await clients.authorization.getJwks({})).jwksJson,
    ttlMs: JWKS_TTL_MS,
    maxEntries: 1,
    now,
  });
  return () => jwks.get("");
}

function refuseMethod(methods: readonly string[]): never {
  const allow = [...methods, "OPTIONS"].join(", ");
  throw invalidRequest(`only ${allow}`, { status: 405, headers: { Allow: allow } });
}
