import { Counter, Gauge, type Registry } from "prom-client";
import { DurationCounts, DurationHistogram } from "./duration-counts.ts";
import type { PublicErrorCode } from "./public-error.ts";

/**
 * The reason why a connection was cut that still had an answer due: its client took nothing of it, nothing moved on the connection, more requests
 * waited on it than may, or what followed the request was no valid request or didn't arrive in time.
 */
export type CutReason = "unread" | "silent" | "too_many_waiting" | "bad_request";

/** Counters of the gateway as numbers in memory, so that counting an answer from memory costs one addition. */
export interface GatewayCounters {
  /** Reads answered from memory at once. */
  hits: number;
  /** Reads that waited for the commitments service. */
  waited: number;
  /** Reads answered with a body older than `CACHE_MAX_STALE`. */
  stale: number;
  /** Answers among these that were a 304. */
  notModified: number;
  /** Durations of the reads that were answered, and of those that ended with a 5xx error. */
  readonly reads: Readonly<Record<"ok" | "failed", DurationCounts>>;
  /** Errors answered, by code. */
  readonly errors: Record<PublicErrorCode, number>;
  /** Calls of `GetCommitmentData`, and how many failed. */
  loads: number;
  loadFailures: number;
  /** Calls of `GetRevisions`, and how many failed. */
  refreshes: number;
  refreshFailures: number;
  /** Calls of `ListChangedSales`, and how many failed. */
  changeLists: number;
  changeListFailures: number;
  /** Calls of `GetPosition`, and how many failed. */
  positions: number;
  positionFailures: number;
  /** Calls of `ListWalletAllocations`, and how many failed. */
  allocationLists: number;
  allocationListFailures: number;
  /** Connections closed because there were too many. */
  droppedConnections: number;
  /** Connections closed because their address had too many. */
  refusedConnections: number;
  /** Connections cut while an answer was due. */
  readonly cutAnswers: Record<CutReason, number>;
  /** Streams open now. */
  openStreams: number;
  /** Streams closed because their clients read too slowly. */
  droppedStreams: number;
  /** Time from a change's commit until all readers of the sale's stream had been sent it. */
  readonly streamDelays: DurationCounts;
}

export function createCounters(): GatewayCounters {
  return {
    hits: 0,
    waited: 0,
    stale: 0,
    notModified: 0,
    reads: { ok: new DurationCounts(), failed: new DurationCounts() },
    errors: {
      invalid_argument: 0,
      not_found: 0,
      unimplemented: 0,
      resource_exhausted: 0,
      unavailable: 0,
      deadline_exceeded: 0,
      internal: 0,
    },
    loads: 0,
    loadFailures: 0,
    refreshes: 0,
    refreshFailures: 0,
    changeLists: 0,
    changeListFailures: 0,
    positions: 0,
    positionFailures: 0,
    allocationLists: 0,
    allocationListFailures: 0,
    droppedConnections: 0,
    refusedConnections: 0,
    cutAnswers: { unread: 0, silent: 0, too_many_waiting: 0, bad_request: 0 },
    openStreams: 0,
    droppedStreams: 0,
    streamDelays: new DurationCounts(),
  };
}

/** Number of sales held, and the bytes of their bodies. */
export interface CacheSize {
  readonly bytes: number;
  readonly size: number;
  /** Sales that have made room for others so far. */
  readonly evictions: number;
}

/** Registers the counters and the cache's size as `tidemark_gateway_…`; they are read when Prometheus asks. */
export function exportCounters(counters: GatewayCounters, cache: CacheSize, registry: Registry): void {
  const counter = (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>) =>
    new Counter({
      name: `tidemark_gateway_${name}`,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
      },
    });
  counter("public_reads_total", "Public reads answered with a body or 304.", "source", () => ({
    memory: counters.hits,
    commitments: counters.waited,
    stale: counters.stale,
  }));
  new DurationHistogram({
    name: "tidemark_gateway_public_read_duration_seconds",
    help: "Time from a whole request for commitment data until its answer was written, by whether that was a 5xx error.",
    labelNames: ["result"],
    series: Object.entries(counters.reads).map(([result, durations]) => [{ result }, durations]),
    registry,
  });
  counter("cache_evictions_total", "Cached sales that made room for others.", "cache", () => ({
    sales: cache.evictions,
  }));
  counter("not_modified_total", "Public reads answered with 304.", "status", () => ({ "304": counters.notModified }));
  counter("errors_total", "Error responses.", "code", () => counters.errors);
  counter("upstream_calls_total", "Calls to the commitments service.", "method", () => ({
    GetCommitmentData: counters.loads,
    GetRevisions: counters.refreshes,
    ListChangedSales: counters.changeLists,
    GetPosition: counters.positions,
    ListWalletAllocations: counters.allocationLists,
  }));
  counter("upstream_failures_total", "Calls to the commitments service that failed.", "method", () => ({
    GetCommitmentData: counters.loadFailures,
    GetRevisions: counters.refreshFailures,
    ListChangedSales: counters.changeListFailures,
    GetPosition: counters.positionFailures,
    ListWalletAllocations: counters.allocationListFailures,
  }));
  counter("dropped_connections_total", "Connections closed at once: too many.", "reason", () => ({
    too_many: counters.droppedConnections,
    too_many_of_address: counters.refusedConnections,
  }));
  counter("cut_answers_total", "Connections cut while an answer was due.", "reason", () => counters.cutAnswers);
  counter("dropped_streams_total", "Streams closed because the client read too slowly.", "reason", () => ({
    too_slow: counters.droppedStreams,
  }));
  new DurationHistogram({
    name: "tidemark_gateway_stream_delay_seconds",
    help: "Time from the commit of a change until it had been written to all streams of its sale.",
    labelNames: [],
    series: [[{}, counters.streamDelays]],
    registry,
  });
  gauge("streams", "Open streams.", registry, () => counters.openStreams);
  gauge("cache_bytes", "Bytes of the cached bodies.", registry, () => cache.bytes);
  gauge("cache_sales", "Cached sales.", registry, () => cache.size);
}

function gauge(name: string, help: string, registry: Registry, read: () => number): void {
  new Gauge({
    name: `tidemark_gateway_${name}`,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
