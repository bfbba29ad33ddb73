import { Counter, Gauge, type Registry } from "prom-client";
import type { NodeHead } from "../../../common/chains/base/node-head.ts";
import type { SecondQuestions } from "../../../common/contracts/second-questions.ts";

/** A chain and its nodes as they were last compared. */
export interface ChainNodes {
  readonly chain: string;
  readonly heads: readonly NodeHead[];
  readonly isFinalContradicted: boolean;
  /** See `ChainConnection.secondQuestions`. */
  readonly secondQuestions: SecondQuestions;
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
    help: "Nodes that answer but no longer follow the chain, failed their probe, or have taken back a final block; they aren't believed.",
    labelNames: ["chain"],
    registers: [registry],
    collect() {
      for (const { chain, heads } of chains()) {
        this.set({ chain }, heads.filter(({ problem }) => problem !== undefined).length);
      }
    },
  });
  new Gauge({
    name: "tidemark_indexer_refused_methods",
    help: "1 for each JSON-RPC method that a node refuses again and again while it answers others.",
    labelNames: ["chain", "host", "method"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { chain, heads } of chains()) {
        for (const { host, refusedMethods = [] } of heads) {
          for (const method of refusedMethods) this.set({ chain, host, method }, 1);
        }
      }
    },
  });
}

/** Exposes whether nodes contradict what was read as final. @param chains is called with each scrape. */
export function exposeFinality(registry: Registry, chains: () => readonly ChainNodes[]): void {
  new Gauge({
    name: "tidemark_indexer_final_contradicted",
    help: "1 if the chain's nodes now have another block than one that was read as final, else 0.",
    labelNames: ["chain"],
    registers: [registry],
    collect() {
      for (const { chain, isFinalContradicted } of chains()) this.set({ chain }, Number(isFinalContradicted));
    },
  });
}

/** Exposes how often logs were asked for a second time. @param chains is called with each scrape. */
export function exposeSecondQuestions(registry: Registry, chains: () => readonly ChainNodes[]): void {
  new Counter({
    name: "tidemark_indexer_second_log_questions_total",
    help: "Second questions about logs: as a bloom has logs that an answer lacks, for long ranges, and for the overlap of reads.",
    labelNames: ["chain", "reason"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { chain, secondQuestions } of chains()) {
        for (const [reason, count] of Object.entries(secondQuestions)) this.inc({ chain, reason }, count);
      }
    },
  });
}

interface Followed {
  readonly chain: string;
  /** Time of the last read up to the head, in milliseconds of the given clock. */
  readonly upToDateAt: number;
}

/** Time since the sales that this process reads were last up to date with the head of their chain. */
export class HeadLag {
  readonly #now: () => number;
  readonly #sales = new Map<string, Followed>();
  /** Sales in which nothing can change any more. */
  readonly #final = new Set<string>();

  constructor(registry: Registry, now: () => number = () => performance.now()) {
    this.#now = now;
    const seconds = () => this.seconds();
    new Gauge({
      name: "tidemark_indexer_head_lag_seconds",
      help: "Time since the process last read the sale that is farthest behind up to the head of its chain.",
      labelNames: ["chain"],
      registers: [registry],
      collect() {
        this.reset();
        for (const [chain, lag] of seconds()) this.set({ chain }, lag);
      },
    });
  }

  /** The sale is up to date now, or this process starts to read it. */
  upToDate(saleUuid: string, chain: string): void {
    if (!this.#final.has(saleUuid)) this.#sales.set(saleUuid, { chain, upToDateAt: this.#now() });
  }

  /** Says whether nothing can change in the sale any more: then it can't be behind. */
  setFinal(saleUuid: string, isFinal: boolean): void {
    if (!isFinal) this.#final.delete(saleUuid);
    else {
      this.#final.add(saleUuid);
      this.forget(saleUuid);
    }
  }

  /** This process no longer reads the sale, or its source can't be read until somebody mends it. */
  forget(saleUuid: string): void {
    this.#sales.delete(saleUuid);
  }

  /** The lag of the sale that is farthest behind, by chain. */
  seconds(): ReadonlyMap<string, number> {
    const lags = new Map<string, number>();
    for (const { chain, upToDateAt } of this.#sales.values()) {
      lags.set(chain, Math.max(lags.get(chain) ?? 0, (this.#now() - upToDateAt) / 1_000));
    }
    return lags;
  }
}
