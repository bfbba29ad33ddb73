import { Gauge, type Registry } from "prom-client";
import type { PoolUsage } from "./pool-usage.ts";

/** The pools that each registry exports, by name. A process that runs several services has several. */
const exported = new WeakMap<Registry, Map<string, PoolUsage>>();

/** Exports how busy the pool of a database is, under a name. Does nothing for a database without a pool (SQLite). */
export function exportPool(
  name: string,
  { pool }: { readonly pool?: PoolUsage | undefined },
  registry: Registry,
): void {
  if (pool === undefined) return;
  const present = exported.get(registry);
  if (present !== undefined) {
    present.set(name, pool);
    return;
  }
  const pools = new Map([[name, pool]]);
  exported.set(registry, pools);
  const gauge = (metric: string, help: string, read: (usage: PoolUsage) => number) =>
    new Gauge({
      name: metric,
      help,
      labelNames: ["pool"],
      registers: [registry],
      collect() {
        for (const [of, usage] of pools) this.set({ pool: of }, read(usage));
      },
    });
  gauge("tidemark_database_pool_size", "The most connections to the database.", ({ size }) => size);
  gauge("tidemark_database_pool_busy", "Connections to the database in use.", ({ busy }) => busy);
  gauge(
    "tidemark_database_pool_waiting",
    "Calls that wait for a connection to the database.",
    ({ waiting }) => waiting,
  );
}
