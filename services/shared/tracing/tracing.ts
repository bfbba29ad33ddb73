import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { isSampled, type TraceContext } from "./trace-context.ts";

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

/** Never a secret, a code, a token, an e-mail address or a text from outside. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanSettings {
  /** `internal` by default. */
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /** A trace that this one has to do with, without being part of it. */
  readonly link?: TraceContext | undefined;
}

export interface Span {
  readonly context: TraceContext;
  set(attributes: SpanAttributes): void;
  /** @param type a word of a small set, such as an error's code; never its message. */
  fail(type: string): void;
  end(): void;
}

/** What records spans: OpenTelemetry, or nothing. */
export interface Tracer {
  start(name: string, parent: TraceContext | undefined, settings: SpanSettings): Span;
}

/** What runs as part of a span that isn't there: tracing is off, or nobody began a trace. */
type Work<Result> = (span: Span | undefined) => Promise<Result>;

const current = new AsyncLocalStorage<TraceContext>();
const remembered = new WeakMap<object, TraceContext>();
let tracer: Tracer | undefined;

/** Said to services that are called outside of any trace, so that they begin none for it. */
const UNTRACED: TraceContext = {
  traceId: randomBytes(16).toString("hex"),
  spanId: randomBytes(8).toString("hex"),
  traceFlags: 0,
};

/** Sets what records the spans of this process; undefined: nothing does, and spans cost nothing. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Where the caller stands in a trace; undefined outside of one. */
export function currentTrace(): TraceContext | undefined {
  return tracer === undefined ? undefined : current.getStore();
}

/** As `currentTrace`, where the trace is recorded: what is worth to be kept. */
export function recordedTrace(): TraceContext | undefined {
  const context = currentTrace();
  return context !== undefined && isSampled(context) ? context : undefined;
}

/** What a service that is called now is to be told; undefined where tracing is off. */
export function outgoingTrace(): TraceContext | undefined {
  return tracer === undefined ? undefined : (current.getStore() ?? UNTRACED);
}

/** Runs `work` as a span of a trace of its own. */
export function traceRoot<Result>(name: string, settings: SpanSettings, work: Work<Result>): Promise<Result> {
  return tracer === undefined ? work(undefined) : within(tracer.start(name, undefined, settings), work);
}

/** Runs `work` as a span of the trace that the caller is in; outside of one, without a span. */
export function trace<Result>(name: string, settings: SpanSettings, work: Work<Result>): Promise<Result> {
  return traceFrom(currentTrace(), name, settings, work);
}

/** Runs `work` as a span below `parent`, wherever that was; without one, without a span. */
export function traceFrom<Result>(
  parent: TraceContext | undefined,
  name: string,
  settings: SpanSettings,
  work: Work<Result>,
): Promise<Result> {
  if (tracer === undefined || parent === undefined) return work(undefined);
  return within(tracer.start(name, parent, settings), work);
}

/** A span below `parent`, for its caller to end; undefined where there is none. */
export function startSpan(
  parent: TraceContext | undefined,
  name: string,
  settings: SpanSettings = {},
): Span | undefined {
  return parent === undefined ? undefined : tracer?.start(name, parent, settings);
}

/** Runs `work` where `context` stands, without a span of its own. */
export function withTrace<Result>(context: TraceContext | undefined, work: () => Result): Result {
  return tracer === undefined || context === undefined ? work() : current.run(context, work);
}

/** Notes where an object came from, for as long as it lives: for what is done with it later, outside of the trace. */
export function rememberTrace(object: object, context: TraceContext | undefined = recordedTrace()): void {
  if (context !== undefined) remembered.set(object, context);
}

/** What `rememberTrace` noted. */
export function traceOf(object: object): TraceContext | undefined {
  return tracer === undefined ? undefined : remembered.get(object);
}

/** The fields of a log line that is written in a trace. */
export function traceFields(): { readonly trace_id: string; readonly span_id: string } | undefined {
  const context = currentTrace();
  return context && { trace_id: context.traceId, span_id: context.spanId };
}

async function within<Result>(span: Span, work: Work<Result>): Promise<Result> {
  try {
    return await current.run(span.context, () => work(span));
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The code of an error, else its class; never its message, which may hold what is nobody's business. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[\w.-]{1,64}$/.test(code) ? code : error.name;
}
