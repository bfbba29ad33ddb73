import { Counter, Gauge, type Registry } from "prom-client";
import type { NodeHead } from "../source/source-reader.ts";
import { HeadLag } from "./head-lag.ts";

/** A chain and its nodes as they were last compared. */
export interface ChainNodes {
  readonly chain: string;
  readonly heads: readonly NodeHead[];
}

export interface IndexerMetrics {
  readonly rows: Counter<"chain">;
  readonly readings: Counter<"chain" | "kind">;
  readonly faults: Counter<"remedy">;
  readonly sales: Gauge;
  readonly headLag: HeadLag;
}

export function createIndexerMetrics(registry: Registry): IndexerMetrics {
  const registers = [registry];
  const metrics = {
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
    headLag: new HeadLag(registry),
  };
  // Prometheus can't see a first count that comes out of nothing.
  for (const remedy of ["wait", "mend", "internal"] as const) metrics.faults.inc({ remedy }, 0);
  return metrics;
}

/** Shows how far the nodes of the chains are apart. @param chains is called whenever somebody looks. */
export function exposeNodeHeads(registry: Registry, chains: () => readonly ChainNodes[]): void {
  new Gauge({
    name: "tidemark_indexer_node_lag",
    help: "Blocks or slots that a node is behind the chain's other nodes.",
    labelNames: ["chain", "host"],
    registers: [registry],
    collect() {
      const heads = chains().flatMap(({ chain, heads }) => heads.map((head) => ({ chain, ...head })));
      // Of several URLs of a host the one farthest behind is shown.
      heads.sort((a, b) => Number(a.behindBy - b.behindBy));
      for (const { chain, host, behindBy } of heads) this.set({ chain, host }, Number(behindBy));
    },
  });
  new Gauge({
    name: "tidemark_indexer_nodes_aside",
    help: "Nodes that answer, but no longer follow the chain, and aren't asked.",
    labelNames: ["chain"],
    registers: [registry],
    collect() {
      for (const { chain, heads } of chains()) {
        this.set({ chain }, heads.filter(({ trouble }) => trouble !== undefined).length);
      }
    },
  });
}
