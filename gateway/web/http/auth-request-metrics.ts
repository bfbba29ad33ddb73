import type { ServerResponse } from "node:http";
import { Counter, Histogram, type Registry } from "prom-client";
import { DURATION_BUCKETS } from "../../../common/platform/metrics/duration-buckets.ts";

/** Counts and measures a request once its answer has ended or its reader has gone. */
export type NoteRequest = (response: ServerResponse, route: string) => void;

/** Registers the metrics of the requests of sign-in, OAuth, account and dashboard, and of the calls of applications. */
export function createAuthRequestMetrics(registry: Registry): NoteRequest {
  const requests = new Counter({
    name: "tidemark_gateway_auth_requests_total",
    help: "Requests to the pages and endpoints of sign-in, OAuth, account and dashboard, and to the calls of applications.",
    labelNames: ["route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "tidemark_gateway_auth_duration_seconds",
    help: "Duration of these requests, from the request's headers to the end of the response.",
    labelNames: ["route"],
    buckets: [...DURATION_BUCKETS],
    registers: [registry],
  });
  return (response, route) => {
    const stop = durations.startTimer({ route });
    response.once("close", () => {
      stop();
      requests.inc({ route, status: response.statusCode });
    });
  };
}
