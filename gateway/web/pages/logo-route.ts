import type { IncomingMessage } from "node:http";
import type { RouteHandler } from "../http/dispatch.ts";
import type { ErrorResponder } from "../http/error-responder.ts";
import { PublicError, unavailable } from "../http/public-error.ts";
import { BASE_PUBLIC_HEADERS } from "../http/public-headers.ts";
import { publicMethods } from "../http/public-methods.ts";
import { IMMUTABLE } from "./file-routes.ts";
import type { Logos } from "./logos.ts";

const NOT_FOUND = new PublicError("not_found", "There is nothing at this path.");
/** A stranger made the image: opened by itself, it may do nothing. */
const SANDBOX = "default-src 'none'; sandbox";

/**
 * Returns the handler of the logos of applications and sales, for pages of any origin.
 *
 * @param addressOf returns the address that a request comes from
 */
export function logoRoute(
  logos: Logos,
  addressOf: (request: IncomingMessage) => string,
  errors: ErrorResponder,
): RouteHandler {
  const get: RouteHandler = (request, response, hash, route) => {
    void errors.answerLater(response, route, async () => {
      const logo = await logos.get(hash, addressOf(request)).catch(() => {
        throw unavailable("The logo can't be loaded at the moment.");
      });
      if (logo === undefined) throw NOT_FOUND;
      if (response.destroyed) return;
      const { mediaType, image } = logo;
      const headers = ["Content-Type", mediaType, "Content-Length", String(image.length), "Cache-Control", IMMUTABLE];
      response.writeHead(200, [...headers, "Content-Security-Policy", SANDBOX, ...BASE_PUBLIC_HEADERS]);
      response.end(request.method === "HEAD" ? undefined : image);
    });
  };
  return publicMethods({ GET: get }, errors);
}
