import { AsyncLocalStorage } from "node:async_hooks";
import type { AttributeName } from "./semantic-attributes.ts";
import { isSampled, type TraceContext, unrecordedContext } from "./trace-context.ts";

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

/** Attributes of a span. They never hold a secret, a code, a token, an e-mail address or a text from outside. */
export type SpanAttributes = Readonly<Partial<Record<AttributeName, string | number | boolean>>>;

export interface SpanSettings {
  /** `internal` by default. */
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /** A related span of another trace. */
  readonly link?: TraceContext | undefined;
  /**
   * Returns the type of a failure of the span for what its work threw, as for `Span.fail`; undefined for what is no failure of
   * the span. By default everything that is thrown is one, with its code or class.
   */
  readonly failureType?: (error: unknown) => string | undefined;
}

export interface Span {
  readonly context: TraceContext;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** @param type a word of a small set, such as an error's code; never a message */
  fail(type: string): void;
  end(): void;
}

/** A recorder of spans: OpenTelemetry. */
export interface Tracer {
  start(name: string, parent: TraceContext | undefined, settings: SpanSettings): Span;
}

/** Work within a span. The span is undefined if tracing is off, or outside of a trace. */
type Work<Result> = (span: Span | undefined) => Promise<Result>;

const current = new AsyncLocalStorage<TraceContext>();
const attached = new WeakMap<object, TraceContext>();
let tracer: Tracer | undefined;

/** Sets the tracer of this process. Without one there are no traces, and log lines have no trace ID. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** The current span. Undefined outside of a trace. */
export function currentTrace(): TraceContext | undefined {
  return tracer === undefined ? undefined : current.getStore();
}

/** The current span, if its trace is recorded. */
export function recordedTrace(): TraceContext | undefined {
  const context = currentTrace();
  return context !== undefined && isSampled(context) ? context : undefined;
}

/** The context to send with a call; outside of any trace one that isn't recorded, so that the called service begins none. */
export function outgoingTrace(): TraceContext | undefined {
  return tracer === undefined ? undefined : (current.getStore() ?? unrecordedContext());
}

/** Runs `work` as part of a trace that isn't recorded, so that its log lines have an ID: that of `parent`, or a new one. */
export function unrecorded<Result>(parent: TraceContext | undefined, work: () => Result): Result {
  return tracer === undefined ? work() : current.run({ ...(parent ?? unrecordedContext()), traceFlags: 0 }, work);
}

/** Runs `work` as the first span of a new trace. */
export function traceRoot<Result>(name: string, settings: SpanSettings, work: Work<Result>): Promise<Result> {
  return tracer === undefined ? work(undefined) : within(tracer.start(name, undefined, settings), settings, work);
}

/** Runs `work` as a span below the current one; outside of a trace, without a span. */
export function trace<Result>(name: string, settings: SpanSettings, work: Work<Result>): Promise<Result> {
  return traceFrom(currentTrace(), name, settings, work);
}

/** Runs `work` as a span below `parent`, which may be of another process; without a parent, without a span. */
export function traceFrom<Result>(
  parent: TraceContext | undefined,
  name: string,
  settings: SpanSettings,
  work: Work<Result>,
): Promise<Result> {
  if (tracer === undefined || parent === undefined) return work(undefined);
  return within(tracer.start(name, parent, settings), settings, work);
}

/** Starts a span below `parent`, which the caller must end. Undefined without a parent or tracer. */
export function startSpan(
  parent: TraceContext | undefined,
  name: string,
  settings: SpanSettings = {},
): Span | undefined {
  return parent === undefined ? undefined : tracer?.start(name, parent, settings);
}

/** Runs `work` with `context` as the current span. */
export function withTrace<Result>(context: TraceContext | undefined, work: () => Result): Result {
  return tracer === undefined || context === undefined ? work() : current.run(context, work);
}

/** Attaches a trace to an object, for work on it that happens later, outside of the trace. */
export function attachTrace(object: object, context: TraceContext | undefined = recordedTrace()): void {
  if (context !== undefined) attached.set(object, context);
}

/** The trace that `attachTrace` has attached. */
export function traceOf(object: object): TraceContext | undefined {
  return tracer === undefined ? undefined : attached.get(object);
}

/** The trace fields of a log line. Undefined outside of a trace. */
export function traceFields(): { readonly trace_id: string; readonly span_id: string } | undefined {
  const context = currentTrace();
  return context && { trace_id: context.traceId, span_id: context.spanId };
}

async function within<Result>(
  span: Span,
  { failureType = errorType }: SpanSettings,
  work: Work<Result>,
): Promise<Result> {
  try {
    return await current.run(span.context, () => work(span));
  } catch (error) {
    const type = failureType(error);
    if (type !== undefined) span.fail(type);
    throw error;
  } finally {
    span.end();
  }
}

/** The code of an error, or its class. Never its message, which may contain private data. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[\w.-]{1,64}$/.test(code) ? code : error.name;
}
