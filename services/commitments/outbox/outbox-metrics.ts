import { Counter, Gauge, type Registry } from "prom-client";
import type { CommitmentsDatabase } from "../store/sql/schema.ts";
import { readBacklog } from "./unpublished-updates.ts";

/** Counts the revisions that this process tells the bus of, repeats included. @returns what takes their number. */
export function publishedCounter(registry: Registry): (revisions: number) => void {
  const published = new Counter({
    name: "tidemark_outbox_published_total",
    help: "Revisions that this process published on the bus, repeats included.",
    registers: [registry],
  });
  return (revisions) => published.inc(revisions);
}

/** Tells Prometheus what waits in the outbox, of all processes on the database; asked of it when Prometheus asks. */
export function exportBacklog(database: CommitmentsDatabase, registry: Registry): void {
  const lag = new Gauge({
    name: "tidemark_outbox_lag_seconds",
    help: "Age of the oldest revision that isn't published yet; 0 if there is none.",
    registers: [registry],
  });
  new Gauge({
    name: "tidemark_outbox_backlog",
    help: "Revisions that aren't published yet.",
    registers: [registry],
    async collect() {
      const { rows, ageMillis } = await readBacklog(database).catch(() => ({
        rows: Number.NaN,
        ageMillis: Number.NaN,
      }));
      this.set(rows);
      lag.set(ageMillis / 1_000);
    },
  });
}
