import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import type { Counter, Registry } from "prom-client";
import type { Logger } from "../../log/log.ts";
import { LogLimit } from "../../log/log-limit.ts";
import { sharedCounter } from "../../metrics/shared-metrics.ts";
import { CALLER_REFUSALS, type CallerRefusal, callerRefusal } from "../identity/caller-refusal.ts";

export interface CallerRefusalOptions {
  readonly registry: Registry;
  readonly logger?: Logger | undefined;
}

/**
 * Reports each process that refuses this process itself, by a metric and, once a minute, in the log. Must be called for each
 * process that is tried.
 */
export function callerRefusalReports({ registry, logger }: CallerRefusalOptions): Interceptor {
  const refusals = callerRefusalCounter(registry);
  const limit = new LogLimit();
  const known = new Set<DescMethod>();
  return (next) => async (request) => {
    const { method } = request;
    // From 0 on: an alert sees no increase of a series that begins with its first refusals.
    if (!known.has(method)) {
      known.add(method);
      for (const reason of CALLER_REFUSALS) refusals.inc(labelsOf(method, reason), 0);
    }
    try {
      return await next(request);
    } catch (error) {
      const reason = callerRefusal(error);
      if (reason !== undefined) {
        const { origin } = new URL(request.url);
        refusals.inc(labelsOf(method, reason));
        if (limit.isDue(`${origin} ${reason}`)) {
          logger?.error({ called: origin, reason, err: error }, "a service refuses calls of this process");
        }
      }
      throw error;
    }
  };
}

function labelsOf({ parent, name }: DescMethod, reason: CallerRefusal) {
  return { service: parent.typeName, method: name, reason };
}

/**
 * Answers `unavailable` for a call that every process of the service refused for this process's token: those who asked can
 * do nothing about it but wait until an operator has mended it.
 */
export const unavailableToRefused: Interceptor = (next) => (request) =>
  next(request).catch((error: unknown) => Promise.reject(asUnavailable(error) ?? error));

function asUnavailable(error: unknown): ConnectError | undefined {
  const reason = callerRefusal(error);
  if (reason === undefined || reason === "method") return undefined;
  return new ConnectError(REASONS[reason], Code.Unavailable, undefined, undefined, error);
}

const REASONS = {
  token: "the called service refuses this process's caller token",
  token_time: "the clocks of this process and of the called service are too far apart",
};

/** `tidemark_rpc_client_refusals_total`. */
export function callerRefusalCounter(registry: Registry): Counter<"service" | "method" | "reason"> {
  return sharedCounter(registry, {
    name: "tidemark_rpc_client_refusals_total",
    help: "Calls that a service refused because of this process itself: its token, the token's times, or the method.",
    labelNames: ["service", "method", "reason"],
  });
}
