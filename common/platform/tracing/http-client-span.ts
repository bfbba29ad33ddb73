import { recordedTrace, type SpanAttributes, trace } from "./tracing.ts";

/** A server that a request is sent to. Its path and query, which may hold secrets, are in no span. */
export type HttpTarget = Pick<URL, "hostname" | "port" | "protocol">;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Runs `work`, an HTTP request to a host of others, as a client span of a recorded trace. Outside of one it costs nothing. */
export function traceHttpRequest<Answer extends { readonly status: number }>(
  method: "GET" | "POST",
  target: HttpTarget,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (recordedTrace() === undefined) return work();
  const attributes = { "http.request.method": method, ...serverOf(target) };
  return trace(method, { kind: "client", attributes }, async (span) => {
    const answer = await work();
    span?.set({ "http.response.status_code": answer.status });
    if (answer.status >= 400) span?.fail(String(answer.status));
    return answer;
  });
}

function serverOf({ hostname, port, protocol }: HttpTarget): SpanAttributes {
  return { "server.address": hostname, "server.port": port === "" ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port) };
}
