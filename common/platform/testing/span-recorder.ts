import { type SpanSettings, setTracer } from "../tracing/tracing.ts";

/** A span as a test compares it. */
export interface RecordedSpan {
  readonly name: string;
  readonly kind: SpanSettings["kind"];
  readonly attributes: object;
  /** The type of its failure; absent without one. */
  readonly failure?: string;
}

/** Records all spans of this process from now on, in the order of their starts; `setTracer(undefined)` ends that. */
export function recordSpans(): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  setTracer({
    start: (name, parent, { kind, attributes = {} } = {}) => {
      const span: RecordedSpan = { name, kind, attributes };
      spans.push(span);
      return {
        context: { traceId: parent?.traceId ?? "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 },
        set: (more) => Object.assign(span, { attributes: { ...span.attributes, ...more } }),
        rename: () => {},
        fail: (type) => Object.assign(span, { failure: type }),
        end: () => {},
      };
    },
  });
  return spans;
}
