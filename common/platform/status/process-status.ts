import { hostname } from "node:os";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import type { Registry } from "prom-client";
import { VERSION } from "../config/version.ts";
import { STATUS_METRICS } from "./status-metrics.ts";

/** A value of a metric. */
export interface Measurement {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  /** NaN where it can't be read. */
  readonly value: number;
}

/** Reason why a process isn't ready. */
export interface NotReadyReason {
  /** Name of the readiness check. */
  readonly name: string;
  readonly reason: string;
}

/** State of a process, by itself. */
export interface ProcessStatus {
  /** Empty where the registry of a test has no `tidemark_process_info`. */
  readonly service: string;
  readonly version: string;
  readonly runtime: string;
  /** Host name and process ID. */
  readonly instance: string;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly notReady: readonly NotReadyReason[];
  readonly measurements: readonly Measurement[];
}

export interface StatusSource {
  readonly lifecycle: { notReady(): readonly NotReadyReason[] };
  readonly registry: Pick<Registry, "getSingleMetric">;
}

/** The wait for a metric that asks a database. */
const METRIC_TIMEOUT_MS = 2_000;

/** Reads readiness and metrics of this process, where they are computed. A metric that can't be read is not a number. */
export async function readProcessStatus({ lifecycle, registry }: StatusSource): Promise<ProcessStatus> {
  const [info] = await valuesOf(registry, "tidemark_process_info");
  const measurements = await Promise.all(STATUS_METRICS.map(({ metric }) => valuesOf(registry, metric)));
  return {
    service: info?.labels["service"] ?? "",
    version: VERSION,
    runtime: info?.labels["runtime"] ?? "",
    instance: `${hostname()}/${process.pid}`,
    startedAtMs: performance.timeOrigin,
    notReady: lifecycle.notReady(),
    measurements: measurements.flat(),
  };
}

async function valuesOf(registry: StatusSource["registry"], metric: string): Promise<readonly Measurement[]> {
  const unreadable = [{ metric, labels: {}, value: Number.NaN }];
  const own = registry.getSingleMetric(metric);
  if (own === undefined) return [];
  const stop = new AbortController();
  const late = wait(METRIC_TIMEOUT_MS, unreadable, { signal: stop.signal }).catch(() => unreadable);
  const read = Promise.resolve(own.get()).then(
    ({ values }) => values.map(({ labels, value }) => ({ metric, labels: textLabels(labels), value })),
    () => unreadable,
  );
  try {
    return await Promise.race([read, late]);
  } finally {
    stop.abort();
  }
}

function textLabels(labels: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
