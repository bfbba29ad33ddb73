import { parseUuid } from "../../common/platform/encoding/uuid.ts";
import type { HonoRoute } from "../web/http/hono-routes.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";

/**
 * Returns the route of an address that existing applications link to, which leads to a page of ours. Where the path names a
 * sale, anything but a UUID is no such address; the sale is remembered for the way back.
 */
export function existingLinkRoute(target: string, { cookies }: Pick<AuthDependencies, "cookies">): HonoRoute {
  return {
    register: (app, path) =>
      void app.get(path, async (c, next) => {
        const sale = c.req.param("sale");
        if (sale === undefined) return c.redirect(target, 303);
        const uuid = parseUuid(sale);
        if (uuid === undefined) return next();
        cookies.setSender(c, { uuid, origin: "" });
        return c.redirect(target, 303);
      }),
  };
}

/** Returns the paths of those addresses. @param prefix first segment of the public paths */
export function existingLinks(prefix: string) {
  return { sale: `/${prefix}/{sale}`, saleHome: `/${prefix}/{sale}/home`, founder: "/founder" } as const;
}
