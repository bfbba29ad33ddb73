import type { RouteHandler } from "../web/http/dispatch.ts";
import type { ErrorResponder } from "../web/http/error-responder.ts";
import { parseSaleUuid } from "../web/http/sale-uuid.ts";
import type { SaleStreams } from "./sale-streams.ts";

/** Returns the handler that opens the stream of the sale that the path names. */
export function streamRoute(streams: SaleStreams, errors: ErrorResponder): RouteHandler {
  return (request, response, saleUuid, route) => {
    void errors.answerLater(response, route, async () => streams.open(request, response, parseSaleUuid(saleUuid)));
  };
}
