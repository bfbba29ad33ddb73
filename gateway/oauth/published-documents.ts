import { TtlCache } from "../web/http/ttl-cache.ts";
import { JWKS_TTL_MS } from "../web/lifetimes.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { authorizationServerMetadata } from "./metadata.ts";

/** Returns a function that gives the authorization server's metadata as JSON. */
export function metadataDocument({ config }: Pick<AuthDependencies, "config">): () => Promise<string> {
  const metadata = authorizationServerMetadata(config.authUrl);
  return async () => metadata;
}

/** Returns a function that gives the public keys of access and ID tokens as JSON (RFC 7517). */
export function jwksDocument({ clients, now }: Pick<AuthDependencies, "clients" | "now">): () => Promise<string> {
  const jwks = new TtlCache<string>({
    load: async () => (await clients.authorization.getJwks({ complete: true })).jwksJson,
    ttlMs: JWKS_TTL_MS,
    maxEntries: 1,
    now,
  });
  return () => jwks.get("");
}
