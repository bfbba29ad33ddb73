import { parseUuid } from "../../common/platform/encoding/uuid.ts";
import type { HonoRoute } from "../web/http/hono-routes.ts";

/**
 * Returns the route of an address that existing applications link to, which leads to a page of ours. Where the path names a
 * sale, anything but a UUID is no such address.
 */
export function existingLinkRoute(target: string): HonoRoute {
  return {
    register: (app, path) =>
      void app.get(path, async (c, next) => {
        const sale = c.req.param("sale");
        return sale === undefined || parseUuid(sale) !== undefined ? c.redirect(target, 303) : next();
      }),
  };
}

/** Returns the paths of those addresses. @param prefix first segment of the public paths */
export function existingLinks(prefix: string) {
  return { sale: `/${prefix}/{sale}`, saleHome: `/${prefix}/{sale}/home`, founder: "/founder" } as const;
}
