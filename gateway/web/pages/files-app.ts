import { Code } from "@connectrpc/connect";
import { Hono } from "hono";
import type { AuthParts } from "../auth/auth-dependencies.ts";
import { isRefused } from "../auth/auth-failure.ts";
import { ASSETS_PREFIX, LOGOS_PREFIX } from "../auth/auth-paths.ts";
import type { AuthApp, AuthContext, AuthEnv } from "../http/hono-context.ts";
import { RememberedCalls } from "../http/ttl-cache.ts";
import type { PageAsset } from "./page-assets.ts";

/** What has its content's hash in its path never changes. */
const IMMUTABLE = "public, max-age=31536000, immutable";
const LOGO_HASH = /^[0-9a-f]{64}$/;
const LOGO_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp"]);
const LOGO_TTL_MS = 600_000;
/** 200 KB each at most. */
const MAX_LOGOS = 64;

export interface FilesOptions extends Pick<AuthParts, "clients" | "now"> {
  /** Stylesheets, scripts and icons of all pages, by path. */
  readonly assets: ReadonlyMap<string, PageAsset>;
  /** Answers an error of a call for a logo. */
  readonly onError: (c: AuthContext, error: unknown) => Response;
}

/** Serves the files that pages load, and the logos of applications. */
export function filesApp({ assets, clients, now, onError }: FilesOptions): AuthApp {
  const app = new Hono<AuthEnv>();
  app.onError((error, c) => onError(c, error));
  app.get(`${ASSETS_PREFIX}:file`, (c) => {
    const asset = assets.get(c.req.path);
    if (asset === undefined) return c.notFound();
    return c.body(asset.content, 200, {
      ...fileHeaders(asset.mediaType),
      "Content-Security-Policy": "default-src 'none'",
    });
  });
  const logos = new RememberedCalls({
    load: (logo) => clients.clients.getLogo({ logo }),
    ttlMs: LOGO_TTL_MS,
    maxEntries: MAX_LOGOS,
    now,
  });
  app.get(`${LOGOS_PREFIX}:hash`, async (c) => {
    const hash = c.req.param("hash");
    if (!LOGO_HASH.test(hash)) return c.notFound();
    try {
      const { mediaType, image } = await logos.get(hash);
      if (!LOGO_TYPES.has(mediaType)) throw new TypeError(`logo of type ${mediaType}`);
      // Somebody else made it: opened by itself it may do nothing.
      const headers = { ...fileHeaders(mediaType), "Content-Security-Policy": "default-src 'none'; sandbox" };
      return c.body(Uint8Array.from(image), 200, headers);
    } catch (error) {
      if (isRefused(error, Code.NotFound)) return c.notFound();
      throw error;
    }
  });
  return app;
}

function fileHeaders(mediaType: string): Record<string, string> {
  return { "Content-Type": mediaType, "Cache-Control": IMMUTABLE, "X-Content-Type-Options": "nosniff" };
}
