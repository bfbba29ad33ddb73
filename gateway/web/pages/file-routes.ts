import type { HonoRoute } from "../http/hono-routes.ts";
import type { PageAsset } from "./page-assets.ts";

/** Cache-Control of files whose path has the hash of their content. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
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

function fileHeaders(mediaType: string): Record<string, string> {
  return { "Content-Type": mediaType, "Cache-Control": IMMUTABLE, "X-Content-Type-Options": "nosniff" };
}
