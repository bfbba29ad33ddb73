import { Counter, Gauge, type Registry } from "prom-client";

export interface IndexerMetrics {
  readonly rows: Counter<"chain">;
  readonly readings: Counter<"chain" | "kind">;
  readonly faults: Counter<"remedy">;
  readonly sales: Gauge;
}

export function createIndexerMetrics(registry: Registry): IndexerMetrics {
  const registers = [registry];
  return {
    rows: new Counter({
      name: "tidemark_indexer_rows_total",
      help: "Rows written or removed because their contract said so.",
      labelNames: ["chain"],
      registers,
    }),
    readings: new Counter({
      name: "tidemark_indexer_readings_total",
      help: "Readings of sale contracts that were applied.",
      labelNames: ["chain", "kind"],
      registers,
    }),
    faults: new Counter({
      name: "tidemark_indexer_faults_total",
      help: "Readings that failed: wait passes by itself, mend wants somebody to act, internal is ours.",
      labelNames: ["remedy"],
      registers,
    }),
    sales: new Gauge({
      name: "tidemark_indexer_sales",
      help: "Sales with a source that this process reads, or waits to read.",
      registers,
    }),
  };
}
