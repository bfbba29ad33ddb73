import type { IncomingMessage, ServerResponse } from "node:http";
import { parseTraceParent } from "../../../services/shared/tracing/trace-context.ts";
import { isTracing, traceRoot } from "../../../services/shared/tracing/tracing.ts";

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Records how a request is answered, as a trace of its own. What the browser says of a trace of its is linked only: a
 * stranger decides neither what is recorded nor what it counts to.
 *
 * @param route of a small set, without what a request brings: queries hold codes and states
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
    const { statusCode } = response;
    span?.set({ "http.response.status_code": statusCode });
    if (statusCode >= 500) span?.fail(String(statusCode));
  });
}
