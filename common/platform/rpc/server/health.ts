import { setTimeout as delay } from "node:timers/promises";
import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { ServiceError } from "../../errors/service-error.ts";
import type { Lifecycle } from "../../lifecycle/lifecycle.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { TIME_HEADER } from "../time-header.ts";

/** The largest request, as anybody may send one. */
export const MAX_HEALTH_BYTES = 4_096;

export interface HealthOptions {
  readonly lifecycle: Pick<Lifecycle, "isReady">;
  /** Type names of the server's services. Each is ready when the process is. */
  readonly services: readonly string[];
  /** The interval of the checks for `Watch`, in milliseconds. 1 s by default. */
  readonly watchIntervalMs?: number;
  /** The time that `Check` answers, for clocks that are compared with it. That of the process by default. */
  readonly now?: Clock;
}

/** Serves `createHealth`. */
export function serveHealth(router: ConnectRouter, options: HealthOptions): void {
  router.service(Health, createHealth(options), { readMaxBytes: MAX_HEALTH_BYTES });
}

/**
 * `grpc.health.v1` with the readiness of the process. The empty service name means the whole process. As the protocol
 * says, an unknown service is the error `not_found` for `Check` and a status for `Watch`.
 */
export function createHealth({
  lifecycle,
  services,
  watchIntervalMs = 1_000,
  now = systemClock,
}: HealthOptions): ServiceImpl<typeof Health> {
  const names = new Set(["", ...services]);
  const statusOf = (service: string): ServingStatus => {
    if (!names.has(service)) return ServingStatus.SERVICE_UNKNOWN;
    return lifecycle.isReady() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  };
  return {
    check: ({ service }, { responseHeader }) => {
      responseHeader.set(TIME_HEADER, String(now()));
      const status = statusOf(service);
      if (status === ServingStatus.SERVICE_UNKNOWN) throw new ServiceError("not_found", "the service is unknown");
      return { status };
    },
    async *watch({ service }, { signal }) {
      let last: ServingStatus | undefined;
      for (;;) {
        const status = statusOf(service);
        if (status !== last) yield { status };
        last = status;
        await delay(watchIntervalMs, undefined, { signal });
      }
    },
  };
}
