import { Counter, type Registry } from "prom-client";
import type { Lifecycle } from "../../lifecycle/lifecycle.ts";
import type { Logger } from "../../log/log.ts";
import { ID_TRACER } from "../id-tracer.ts";
import { setTracer } from "../tracing.ts";
import type { OnExport } from "./otlp-tracer.ts";
import type { TracingConfig } from "./tracing-config.ts";

export interface TracingOptions {
  /** Undefined where nothing is recorded: requests have IDs only, for their log lines, and OpenTelemetry isn't loaded. */
  readonly config: TracingConfig | undefined;
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  readonly logger: Logger;
}

/**
 * Starts tracing, which ends with the lifecycle. Call it before other parts are started, so that it stops after them.
 */
export async function startTracing({ config, lifecycle, registry, logger }: TracingOptions): Promise<void> {
  const onExport = exportObserver(registry, logger);
  const recorder = config && (await import("./otlp-tracer.ts")).createOtlpTracer(config, onExport);
  setTracer(recorder ?? ID_TRACER);
  lifecycle.onStop("traces", async () => {
    setTracer(undefined);
    await recorder?.close();
  });
}

function exportObserver(registry: Registry, logger: Logger): OnExport {
  const spans = new Counter({
    name: "tidemark_trace_spans_total",
    help: "Spans sent to the OTLP receiver, or lost because it failed.",
    labelNames: ["result"],
    registers: [registry],
  });
  for (const result of ["sent", "lost"]) spans.inc({ result }, 0);
  let failing = false;
  return (count, failure) => {
    spans.inc({ result: failure === undefined ? "sent" : "lost" }, count);
    if (failure !== undefined && !failing) logger.warn({ err: failure }, "traces can't be sent and are dropped");
    if (failure === undefined && failing) logger.info("traces are sent again");
    failing = failure !== undefined;
  };
}
