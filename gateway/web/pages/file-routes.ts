import { Code } from "@connectrpc/connect";
import { Hono } from "hono";
import type { AuthDependencies } from "../auth/auth-dependencies.ts";
import { isRefused } from "../auth/auth-failure.ts";
import type { AuthContext, AuthEnv } from "../http/hono-context.ts";
import type { HonoRoute } from "../http/hono-routes.ts";
import { TtlCache } from "../http/ttl-cache.ts";
import type { PageAsset } from "./page-assets.ts";

/** Cache-Control of files whose path has the hash of their content. */
const IMMUTABLE = "public, max-age=31536000, immutable";
const LOGO_HASH = /^[0-9a-f]{64}$/;
const LOGO_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp"]);
const LOGO_TTL_MS = 600_000;
/** Logos held, of 200 KB at most each. */
const MAX_LOGOS = 64;
/** Label of all files in metrics and traces. */
const LABEL = "file";

/** Returns the route of the stylesheets, scripts and icons of pages. */
export function assetsRoute(assets: ReadonlyMap<string, PageAsset>): HonoRoute {
  return {
    label: LABEL,
    register(app, path) {
      app.get(path, (c) => {
        const asset = assets.get(c.req.path);
        if (asset === undefined) return c.notFound();
        return c.body(asset.content, 200, {
          ...fileHeaders(asset.mediaType),
          "Content-Security-Policy": "default-src 'none'",
        });
      });
    },
  };
}

/**
 * Returns the route of the logos of applications.
 *
 * @param onError answers where a logo can't be loaded
 */
export function logosRoute(
  { clients, now }: Pick<AuthDependencies, "clients" | "now">,
  onError: (c: AuthContext, error: unknown) => Response,
): HonoRoute {
  const logos = new TtlCache({
    load: (logo) => clients.clients.getLogo({ logo }),
    ttlMs: LOGO_TTL_MS,
    maxEntries: MAX_LOGOS,
    now,
  });
  const answer = async (c: AuthContext): Promise<Response> => {
    const hash = c.req.param("hash") ?? "";
    if (!LOGO_HASH.test(hash)) return c.notFound() as Response;
    try {
      const { mediaType, image } = await logos.get(hash);
      if (!LOGO_TYPES.has(mediaType)) throw new TypeError(`logo of type ${mediaType}`);
      // A stranger made the image: opened by itself, it may do nothing.
      const headers = { ...fileHeaders(mediaType), "Content-Security-Policy": "default-src 'none'; sandbox" };
      return c.body(Uint8Array.from(image), 200, headers);
    } catch (error) {
      if (isRefused(error, Code.NotFound)) return c.notFound();
      throw error;
    }
  };
  return {
    label: LABEL,
    register(parent, path) {
      const app = new Hono<AuthEnv>();
      app.onError((error, c) => onError(c, error));
      app.get(path.replace("*", ":hash"), answer);
      parent.route("/", app);
    },
  };
}

function fileHeaders(mediaType: string): Record<string, string> {
  return { "Content-Type": mediaType, "Cache-Control": IMMUTABLE, "X-Content-Type-Options": "nosniff" };
}
