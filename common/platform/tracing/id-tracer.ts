import { type TraceContext, unrecordedContext } from "./trace-context.ts";
import type { Span, Tracer } from "./tracing.ts";

/**
 * Records nothing, for a process without a receiver of traces: it gives each request an ID, by which log lines of all processes about it
 * are found. A context of another process, which may record, is passed on as it is.
 */
export const ID_TRACER: Tracer = { start: (_, parent) => spanOf(parent ?? unrecordedContext()) };

function spanOf(context: TraceContext): Span {
  return { context, set: ignore, rename: ignore, fail: ignore, end: ignore };
}

function ignore(): void {}
