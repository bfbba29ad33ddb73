import { Counter, Gauge, type Registry } from "prom-client";
import { sharedRead } from "../../../../common/platform/metrics/shared-read.ts";
import type { CommitmentsDatabase } from "../../base/schema.ts";
import { type DeliveryBacklog, readDeliveryBacklog } from "../delivery-rows.ts";

/** Counts the attempts of this process. @returns a function that counts one */
export function attemptCounter(registry: Registry): (outcome: "delivered" | "failed") => void {
  const attempts = new Counter({
    name: "tidemark_webhook_attempts_total",
    help: "Requests to webhooks that this process made, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["delivered", "failed"]) attempts.inc({ outcome }, 0);
  return (outcome) => attempts.inc({ outcome });
}

/** Exports what waits, for all processes on the database. It is read when Prometheus scrapes. */
export function exportDeliveries(database: CommitmentsDatabase, registry: Registry): void {
  const read = sharedRead(() => readDeliveryBacklog(database).catch(() => UNKNOWN));
  new Gauge({
    name: "tidemark_webhook_pending",
    help: "Deliveries to webhooks that wait for an attempt.",
    registers: [registry],
    async collect() {
      this.set((await read()).pending);
    },
  });
  new Gauge({
    name: "tidemark_webhook_late_seconds",
    help: "Time for which the earliest attempt has been due; 0 if none is.",
    registers: [registry],
    async collect() {
      this.set((await read()).lateMillis / 1_000);
    },
  });
}

const UNKNOWN: DeliveryBacklog = { pending: Number.NaN, lateMillis: Number.NaN };
