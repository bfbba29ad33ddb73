import { globSync, readFileSync } from "node:fs";
import { Histogram, type Registry } from "prom-client";
import { exportConnection } from "../../common/platform/bus/open-bus.ts";
import { exportClockDifference } from "../../common/platform/clock/clock-watch.ts";
import { exportPool } from "../../common/platform/db/pool-metrics.ts";
import { openSqlite } from "../../common/platform/db/sqlite/open-sqlite.ts";
import { failureCounter } from "../../common/platform/jwt/jwks-failures.ts";
import { Lifecycle } from "../../common/platform/lifecycle/lifecycle.ts";
import { createLogger } from "../../common/platform/log/log.ts";
import { createMetrics } from "../../common/platform/metrics/metrics.ts";
import { callerRefusalCounter } from "../../common/platform/rpc/client/caller-refusals.ts";
import { clientMetrics } from "../../common/platform/rpc/client/client-metrics.ts";
import { createCallMetrics } from "../../common/platform/rpc/server/call-metrics.ts";
import { systemClock } from "../../common/platform/time/clock.ts";
import { startTracing } from "../../common/platform/tracing/otlp/start-tracing.ts";
import { createCounters, exportCounters } from "../../gateway/web/http/counters.ts";
import { createAuthRequestMetrics } from "../../gateway/web/http/hono-routes.ts";
import { createAuthMetrics } from "../../services/auth/base/auth-metrics.ts";
import type { CommitmentsSchema } from "../../services/commitments/base/schema.ts";
import { optimisticApplyCounter } from "../../services/commitments/changing/optimistic/optimistic-apply-metrics.ts";
import { exportBacklog, exportPartitions, publishedCounter } from "../../services/commitments/outbox/outbox-metrics.ts";
import { attemptCounter, exportDeliveries } from "../../services/commitments/webhooks/sending/webhook-metrics.ts";
import { createAlertMetrics } from "../../services/entities/alerts/alert-metrics.ts";
import type { EntitiesSchema } from "../../services/entities/base/schema.ts";
import { exportNotices } from "../../services/entities/notices/notice-metrics.ts";
import { createScreeningMetrics } from "../../services/entities/screening/screening-metrics.ts";
import { createSetupMetrics } from "../../services/entities/setup/setup-metrics.ts";
import {
  createIndexerMetrics,
  exposeFinality,
  exposeNodeHeads,
} from "../../services/indexer/follow/indexer-metrics.ts";

/** A time series that a process exports. */
export interface KnownMetric {
  readonly labels: ReadonlySet<string>;
  /** All values of those labels whose values exist from the start of a process. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Labels that Prometheus adds to every series. */
export const TARGET_LABELS: readonly string[] = ["job", "instance", "namespace", "pod"];

const INFO = "tidemark_process_info";

/** Returns every series of all processes by name, for histograms with `_bucket`, `_sum` and `_count`. */
export async function knownMetrics(): Promise<ReadonlyMap<string, KnownMetric>> {
  const registry = await wholeRegistry();
  const known = new Map<string, KnownMetric>();
  for (const metric of registry.getMetricsAsArray()) {
    const labels = labelsOf(metric);
    const values =
      metric.name === INFO ? new Map([["service", serviceNames()]]) : await valuesOf(registry, metric.name);
    if (metric instanceof Histogram) {
      known.set(`${metric.name}_bucket`, { labels: new Set([...labels, "le"]), values: new Map() });
      for (const suffix of ["_sum", "_count"]) {
        known.set(`${metric.name}${suffix}`, { labels: new Set(labels), values: new Map() });
      }
    } else known.set(metric.name, { labels: new Set(labels), values });
  }
  return known;
}

/** A registry with the metrics that the composition roots of all processes register. */
async function wholeRegistry(): Promise<Registry> {
  const registry = createMetrics({ service: "any" });
  const logger = createLogger({ service: "any", level: "silent" });
  createCallMetrics(registry);
  clientMetrics(registry);
  callerRefusalCounter(registry);
  createAuthRequestMetrics(registry);
  exportCounters(createCounters(), { bytes: 0, size: 0, evictions: 0 }, registry);
  createAuthMetrics(registry);
  createScreeningMetrics(registry);
  createSetupMetrics(registry);
  createAlertMetrics(registry);
  exportNotices({ database: openSqlite<EntitiesSchema>(":memory:"), clock: systemClock }, registry);
  createIndexerMetrics(registry);
  exposeNodeHeads(registry, () => []);
  exposeFinality(registry, () => []);
  exportConnection({ isConnected: () => true }, registry);
  exportBacklog(openSqlite<CommitmentsSchema>(":memory:"), registry);
  exportPartitions({ partitions: 0 }, registry);
  publishedCounter(registry);
  attemptCounter(registry);
  exportDeliveries(openSqlite<CommitmentsSchema>(":memory:"), registry);
  const pool = { size: 0, busy: 0, waiting: 0 };
  for (const service of ["commitments", "auth", "entities"]) exportPool(service, { pool }, registry);
  for (const other of ["commitments database", "auth database", "entities database", "commitments service"])
    exportClockDifference(other, { differenceSeconds: () => 0 }, registry);
  optimisticApplyCounter(registry);
  failureCounter(registry);
  await startTracing({ config: undefined, lifecycle: new Lifecycle({ logger }), registry, logger });
  return registry;
}

function labelsOf(metric: object): readonly string[] {
  const labels: unknown = Reflect.get(metric, "labelNames");
  if (!Array.isArray(labels)) throw new TypeError("prom-client names the labels of a metric elsewhere");
  return labels.map(String);
}

async function valuesOf(registry: Registry, name: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const metric = await registry.getSingleMetric(name)?.get();
  const valuesByLabel = new Map<string, Set<string>>();
  for (const { labels } of metric?.values ?? []) {
    for (const [label, value] of Object.entries(labels)) {
      valuesByLabel.set(label, (valuesByLabel.get(label) ?? new Set()).add(String(value)));
    }
  }
  return valuesByLabel;
}

/** The values of the label `service`: the constant `SERVICE` of each main file. */
function serviceNames(): ReadonlySet<string> {
  const root = new URL("../../", import.meta.url);
  const mains = globSync(["services/*/main.ts", "gateway/main.ts", "services/embedded.ts"], { cwd: root });
  const texts = mains.map((path) => readFileSync(new URL(path, root), "utf8"));
  return new Set(texts.flatMap((text) => /^const SERVICE = "(\w+)";$/m.exec(text)?.[1] ?? []));
}
