import type { Counter, Registry } from "prom-client";
import type { Logger } from "../log/log.ts";
import { LogLimit } from "../log/log-limit.ts";
import { sharedCounter } from "../metrics/shared-metrics.ts";
import { JWKS_FAILURES, type JwksError } from "./jwks-error.ts";

export interface JwksFailuresOptions {
  /** The kind of tokens that the keys verify: a label of the metric. */
  readonly kind: "caller" | "actor";
  readonly logger: Logger;
  /** Several JWKS may share a registry. */
  readonly registry: Registry;
}

const NAME = "tidemark_jwks_failures_total";

/**
 * Returns a function for `JwksCacheOptions.onFailure`: it counts each failed load by its reason, and logs each cause once
 * a minute.
 */
export function jwksFailures({ kind, logger, registry }: JwksFailuresOptions): (error: JwksError) => void {
  const failures = failureCounter(registry);
  for (const reason of JWKS_FAILURES) failures.inc({ kind, reason }, 0);
  const limit = new LogLimit();
  return (error) => {
    const { reason, message } = error;
    failures.inc({ kind, reason });
    if (limit.isDue(message)) logger.error({ kind, reason, err: error }, "keys that verify tokens can't be loaded");
  };
}

/** `tidemark_jwks_failures_total`. */
export function failureCounter(registry: Registry): Counter<"kind" | "reason"> {
  return sharedCounter(registry, {
    name: NAME,
    help: "Failed loads of the keys that verify tokens, by reason.",
    labelNames: ["kind", "reason"],
  });
}
