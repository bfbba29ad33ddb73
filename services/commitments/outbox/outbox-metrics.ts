import { Counter, Gauge, type Registry } from "prom-client";
import { sharedRead } from "../../../common/platform/metrics/shared-read.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { type OutboxBacklog, readBacklog } from "./unpublished-updates.ts";

/** Counts the revisions that this process publishes, repeats included. @returns a function that adds a number of them. */
export function publishedCounter(registry: Registry): (revisions: number) => void {
  const published = new Counter({
    name: "tidemark_outbox_published_total",
    help: "Revisions that this process published on the bus, repeats included.",
    registers: [registry],
  });
  return (revisions) => published.inc(revisions);
}

/** Exports how many partitions of the outbox this process publishes. */
export function exportPartitions(relay: { readonly partitions: number }, registry: Registry): void {
  new Gauge({
    name: "tidemark_outbox_partitions",
    help: "Partitions of the outbox that this process publishes, of 16.",
    registers: [registry],
    collect() {
      this.set(relay.partitions);
    },
  });
}

/** Exports the backlog of the outbox, for all processes on the database. It is read when Prometheus scrapes. */
export function exportBacklog(database: CommitmentsDatabase, registry: Registry): void {
  const read = sharedRead(() => readBacklog(database).catch(() => UNKNOWN));
  new Gauge({
    name: "tidemark_outbox_lag_seconds",
    help: "Age of the oldest revision that isn't published yet; 0 if there is none.",
    registers: [registry],
    async collect() {
      this.set((await read()).ageMillis / 1_000);
    },
  });
  new Gauge({
    name: "tidemark_outbox_backlog",
    help: "Revisions that aren't published yet.",
    registers: [registry],
    async collect() {
      this.set((await read()).rows);
    },
  });
}

const UNKNOWN: OutboxBacklog = { rows: Number.NaN, ageMillis: Number.NaN };
