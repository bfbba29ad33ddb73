import type { ServerResponse } from "node:http";
import { parseTraceParent } from "../../../common/platform/tracing/trace-context.ts";
import { attachTrace, isTracing, traceRoot } from "../../../common/platform/tracing/tracing.ts";
import { countedStatus } from "./counted-status.ts";
import { methodName } from "./method-name.ts";
import { routeOf } from "./request-route.ts";

/**
 * Records the answer to a request as a trace of its own. A trace that the browser names is only linked, so a stranger
 * decides neither which requests are recorded nor to which trace they belong. `url.path` is the route, without the values of
 * the request, and there is no query: paths and queries hold names, codes and states.
 *
 * @param route the route as far as it is known; the one that is noted while the request is answered replaces it (`noteRoute`)
 */
export function traceRequest<Result>(
  response: ServerResponse,
  route: string,
  answer: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return answer();
  const { method: sent, headers, httpVersion } = response.req;
  const { traceparent } = headers;
  const method = methodName(sent);
  const settings = {
    kind: "server",
    attributes: {
      "http.request.method": method,
      "url.scheme": "http",
      "network.protocol.version": httpVersion,
      ...routeAttributes(route),
    },
    link: parseTraceParent(typeof traceparent === "string" ? traceparent : undefined),
  } as const;
  return traceRoot(`${method} ${route}`, settings, async (span) => {
    attachTrace(response, span?.context);
    const result = await answer();
    const matched = routeOf(response);
    if (matched !== undefined && matched !== route) {
      span?.rename(`${method} ${matched}`);
      span?.set(routeAttributes(matched));
    }
    // Nothing is sent to a client that has gone.
    if (response.headersSent) {
      const status = countedStatus(response);
      span?.set({ "http.response.status_code": response.statusCode });
      if (status >= 500) span?.fail(String(status));
    }
    return result;
  });
}

function routeAttributes(route: string) {
  return { "http.route": route, "url.path": route };
}
