import { Counter, Gauge, type Registry } from "prom-client";
import type { NodeHead } from "../../../common/chains/base/node-head.ts";
import { HeadLag } from "./head-lag.ts";

/** A chain and its nodes as they were last compared. */
export interface ChainNodes {
  readonly chain: string;
  readonly heads: readonly NodeHead[];
}

export interface IndexerMetrics {
  readonly rows: Counter<"chain">;
  readonly reads: Counter<"chain" | "kind">;
  readonly faults: Counter<"remedy">;
  readonly sales: Gauge;
  readonly headLag: HeadLag;
}

export function createIndexerMetrics(registry: Registry): IndexerMetrics {
  const registers = [registry];
  const metrics = {
    rows: new Counter({
      name: "tidemark_indexer_rows_total",
      help: "Rows written or removed to match their contract.",
      labelNames: ["chain"],
      registers,
    }),
    reads: new Counter({
      name: "tidemark_indexer_reads_total",
      help: "Reads of sale contracts that were applied.",
      labelNames: ["chain", "kind"],
      registers,
    }),
    faults: new Counter({
      name: "tidemark_indexer_faults_total",
      help: "Reads that failed: wait passes by itself, mend needs somebody to act, internal is a defect or a failed apply.",
      labelNames: ["remedy"],
      registers,
    }),
    sales: new Gauge({
      name: "tidemark_indexer_sales",
      help: "Sales with a source that this process reads or waits to read.",
      registers,
    }),
    headLag: new HeadLag(registry),
  };
  // Prometheus can't see the increase of a counter that begins at 1.
  for (const remedy of ["wait", "mend", "internal"] as const) metrics.faults.inc({ remedy }, 0);
  return metrics;
}

/** Exposes how far the nodes of the chains are apart. @param chains is called with each scrape. */
export function exposeNodeHeads(registry: Registry, chains: () => readonly ChainNodes[]): void {
  new Gauge({
    name: "tidemark_indexer_node_lag",
    help: "Blocks or slots that a node is behind the chain's other nodes.",
    labelNames: ["chain", "host"],
    registers: [registry],
    collect() {
      const heads = chains().flatMap(({ chain, heads }) => heads.map((head) => ({ chain, ...head })));
      // If a host has several URLs, the one farthest behind is shown: the last value set wins.
      heads.sort((a, b) => Number(a.behindBy - b.behindBy));
      for (const { chain, host, behindBy } of heads) this.set({ chain, host }, Number(behindBy));
    },
  });
  new Gauge({
    name: "tidemark_indexer_unhealthy_nodes",
    help: "Nodes that answer but no longer follow the chain; they aren't asked.",
    labelNames: ["chain"],
    registers: [registry],
    collect() {
      for (const { chain, heads } of chains()) {
        this.set({ chain }, heads.filter(({ problem }) => problem !== undefined).length);
      }
    },
  });
}
