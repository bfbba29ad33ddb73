import {
  Code,
  ConnectError,
  createContextKey,
  type HandlerContext,
  type Interceptor,
  type StreamResponse,
} from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { Registry } from "prom-client";
import { DURATION_BUCKETS } from "../../metrics/duration-buckets.ts";
import { sharedCounter, sharedHistogram } from "../../metrics/shared-metrics.ts";

export interface CallMetrics {
  /** Must be called when a call begins, before its request gate. */
  begin(context: HandlerContext): void;
  /** Must be the outermost interceptor. */
  readonly interceptor: Interceptor;
}

const outcomeKey = createContextKey({ succeeded: false }, { description: "outcome of the call" });

/**
 * Counts every call of a known method once, by its code, also refused and unreadable ones:
 * `tidemark_rpc_requests_total` and `tidemark_rpc_duration_seconds`. Several servers may share a registry.
 *
 * Connect aborts the signal of every call at its end, so calls are counted there. As the signal doesn't distinguish a
 * success from a client that has gone, the interceptor notes successes.
 */
export function createCallMetrics(registry: Registry): CallMetrics {
  const { requests, durations } = metrics(registry);
  return {
    begin: (context) => {
      const startedAt = performance.now();
      context.values.set(outcomeKey, { succeeded: false });
      onAbort(context.signal, () => {
        const labels = { service: context.service.typeName, method: context.method.name };
        requests.inc({ ...labels, code: outcome(context) });
        durations.observe(labels, (performance.now() - startedAt) / 1_000);
      });
    },
    interceptor: (next) => async (request) => {
      const noteSuccess = () => {
        request.contextValues.get(outcomeKey).succeeded = true;
      };
      const response = await next(request);
      if (response.stream) return { ...response, message: atEnd(response.message, noteSuccess) };
      noteSuccess();
      return response;
    },
  };
}

function metrics(registry: Registry) {
  return {
    requests: sharedCounter(registry, {
      name: "tidemark_rpc_requests_total",
      help: "Calls answered, by result.",
      labelNames: ["service", "method", "code"],
    }),
    durations: sharedHistogram(registry, {
      name: "tidemark_rpc_duration_seconds",
      help: "Duration of calls, from the request's headers to the end of the response.",
      labelNames: ["service", "method"],
      buckets: [...DURATION_BUCKETS],
    }),
  };
}

function onAbort(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
}

function outcome({ signal, values }: HandlerContext): string {
  if (values.get(outcomeKey).succeeded) return "ok";
  return codeToString(signal.reason instanceof ConnectError ? signal.reason.code : Code.Canceled);
}

async function* atEnd(messages: StreamResponse["message"], ended: () => void): StreamResponse["message"] {
  yield* messages;
  ended();
}
