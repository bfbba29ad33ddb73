import process from "node:process";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { VERSION } from "../config/version.ts";
import { exportEventLoopDelay } from "./event-loop-delay.ts";

/** Longer than any process runs, and within a timer's bound. */
const NEVER_MS = 2 ** 31 - 1;

export interface MetricsOptions {
  /** The label `service` of `tidemark_process_info`, by which dashboards distinguish processes. */
  readonly service: string;
}

/**
 * A registry with the runtime's own metrics (`process_…`, `nodejs_…`). Ours are called
 * `tidemark_<part>_<what>_<unit>`, in base units (seconds, bytes), counters ending in `_total`. Labels take values
 * from small fixed sets only: never an ID, an address or a text from outside.
 */
export function createMetrics({ service }: MetricsOptions): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  const ofTimer = registry.getMetricsAsArray().filter(({ name }) => name.startsWith("nodejs_eventloop_lag"));
  for (const { name } of ofTimer) registry.removeSingleMetric(name);
  exportEventLoopDelay(registry);
  new Gauge({
    name: "tidemark_process_info",
    help: "Always 1; the labels say what runs.",
    labelNames: ["service", "version", "runtime"],
    registers: [registry],
  }).set({ service, version: VERSION, runtime: runtimeName() }, 1);
  return registry;
}

function runtimeName(): string {
  const deno = process.versions["deno"];
  return deno === undefined ? `node ${process.versions.node}` : `deno ${deno}`;
}
