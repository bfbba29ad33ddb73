import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { Registry } from "prom-client";
import { DURATION_BUCKETS } from "../../metrics/duration-buckets.ts";
import { sharedHistogram } from "../../metrics/shared-metrics.ts";

/**
 * Measures the unary calls of a process, retries included, by service, method and code. Several transports
 * may share a registry.
 */
export function clientMetrics(registry: Registry): Interceptor {
  const durations = sharedHistogram(registry, {
    name: "tidemark_rpc_client_duration_seconds",
    help: "Duration of calls to other services, retries included.",
    labelNames: ["service", "method", "code"],
    buckets: [...DURATION_BUCKETS],
  });
  return (next) => async (request) => {
    if (request.stream) return next(request);
    const stop = durations.startTimer({ service: request.service.typeName, method: request.method.name });
    try {
      const response = await next(request);
      stop({ code: "ok" });
      return response;
    } catch (error) {
      stop({ code: codeToString(ConnectError.from(error).code) });
      throw error;
    }
  };
}
