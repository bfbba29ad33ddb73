import { randomUUID } from "node:crypto";
import { type Span as OtelSpan, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { VERSION } from "../../config/version.ts";
import type { TraceContext } from "../trace-context.ts";
import type { SpanKind as Kind, Span, SpanSettings, Tracer } from "../tracing.ts";
import type { TracingConfig } from "./tracing-config.ts";

/** The most spans that wait to be exported. More are dropped. */
const MAX_QUEUED = 4_096;
const MAX_BATCH = 512;
const EXPORT_INTERVAL_MS = 2_000;
/** The most exports at once. It bounds memory when the receiver hangs. */
const MAX_EXPORTS = 4;
const LIMITS = { attributeValueLengthLimit: 256, attributeCountLimit: 32, linkCountLimit: 8, eventCountLimit: 8 };

const KINDS: Readonly<Record<Kind, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Called after each export with the number of spans, and the error if it failed. */
export type OnExport = (spans: number, failure: Error | undefined) => void;

export interface OtlpTracer extends Tracer {
  /** Exports the waiting spans, within the time of one export, and ends. Never rejects. */
  close(): Promise<void>;
}

/** Records spans with OpenTelemetry and sends them by OTLP, as protobuf over HTTP. */
export function createOtlpTracer(config: TracingConfig, onExport: OnExport): OtlpTracer {
  const provider = new TracerProvider({
    sampler: samplerOf(config),
    resource: resourceFromAttributes({
      "service.version": VERSION,
      "service.instance.id": randomUUID(),
      ...config.resource,
    }),
    spanLimits: LIMITS,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched(exporterOf(config), onExport),
        maxQueueSize: MAX_QUEUED,
        maxExportBatchSize: MAX_BATCH,
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
        exportTimeoutMillis: config.timeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer("tidemark");
  return {
    start: (name, parent, settings) => spanOf(tracer.startSpan(name, optionsOf(settings), contextOf(parent))),
    close: () => provider.shutdown().catch(() => {}),
  };
}

function exporterOf({ url, headers, timeoutMs }: TracingConfig): SpanExporter {
  return new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs, concurrencyLimit: MAX_EXPORTS });
}

function watched(exporter: SpanExporter, onExport: OnExport): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        onExport(spans.length, result.code === 0 ? undefined : (result.error ?? new Error("refused")));
        // Spans that can't be sent are dropped; `onExport` has reported it already.
        done({ code: 0 });
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const root = rootSampler(sampler.replace("parentbased_", ""), ratio);
  return sampler.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === "traceidratio") return new TraceIdRatioBasedSampler(ratio);
  return name === "always_off" ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

function contextOf(parent: TraceContext | undefined) {
  return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}

function optionsOf({ kind = "internal", attributes, link }: SpanSettings) {
  return {
    kind: KINDS[kind],
    ...(attributes === undefined ? {} : { attributes: { ...attributes } }),
    ...(link === undefined ? {} : { links: [{ context: link }] }),
  };
}

function spanOf(span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    context: { traceId, spanId, traceFlags },
    set: (attributes) => void span.setAttributes({ ...attributes }),
    rename: (name) => void span.updateName(name),
    fail: (type) => {
      span.setAttribute("error.type", type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}
