import type { IncomingMessage, ServerResponse } from "node:http";
import { parseTraceParent } from "../../../common/platform/tracing/trace-context.ts";
import { isTracing, traceRoot } from "../../../common/platform/tracing/tracing.ts";
import { countedStatus } from "./counted-status.ts";

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Records the answer to a request as a trace of its own. A trace that the browser names is only linked, so a stranger
 * decides neither which requests are recorded nor to which trace they belong.
 *
 * @param route a name from a small set, without values of the request: queries hold codes and states
 */
export function traceRequest(
  request: IncomingMessage,
  response: ServerResponse,
  route: string,
  answer: () => Promise<void>,
): Promise<void> {
  if (!isTracing()) return answer();
  const { traceparent } = request.headers;
  const method = METHODS.find((name) => name === request.method) ?? "_OTHER";
  const settings = {
    kind: "server",
    attributes: { "http.request.method": method, "http.route": route },
    link: parseTraceParent(typeof traceparent === "string" ? traceparent : undefined),
  } as const;
  return traceRoot(`${method} ${route}`, settings, async (span) => {
    await answer();
    const status = countedStatus(response);
    span?.set({ "http.response.status_code": response.statusCode });
    if (status >= 500) span?.fail(String(status));
  });
}
