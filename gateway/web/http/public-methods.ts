import type { RouteHandler } from "./dispatch.ts";
import type { ErrorResponder } from "./error-responder.ts";
import { PublicError } from "./public-error.ts";
import { PREFLIGHT_HEADERS } from "./public-headers.ts";

/** The handlers of a public path by method; `GET` also takes `HEAD`. */
export type MethodHandlers = Readonly<Partial<Record<"GET" | "POST", RouteHandler>>>;

/** Returns a handler that also answers CORS preflights, and any other method with 405. */
export function publicMethods({ GET, POST }: MethodHandlers, errors: ErrorResponder): RouteHandler {
  const allow = [...(GET ? ["GET", "HEAD"] : []), ...(POST ? ["POST"] : []), "OPTIONS"].join(", ");
  const wrongMethod = new PublicError("unimplemented", `This path answers ${allow} only.`, {
    headers: ["Allow", allow],
  });
  return (request, response, parameter, route) => {
    const { method } = request;
    const handler = method === "POST" ? POST : method === "GET" || method === "HEAD" ? GET : undefined;
    if (handler !== undefined) handler(request, response, parameter, route);
    else if (method === "OPTIONS") response.writeHead(204, [...PREFLIGHT_HEADERS]).end();
    else errors.refuse(request, response, wrongMethod);
  };
}
