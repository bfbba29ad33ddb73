import { randomUUID } from "node:crypto";

/** The identity of a span, sent between processes as `traceparent` (W3C Trace Context, level 1). */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** Bit 0: the trace is recorded. */
  readonly traceFlags: number;
}

const SAMPLED = 1;
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export function isSampled({ traceFlags }: TraceContext): boolean {
  return (traceFlags & SAMPLED) !== 0;
}

/** Parses version 00 of the header. Undefined for anything else, and for IDs that are zero. */
export function parseTraceParent(text: string | null | undefined): TraceContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = TRACE_PARENT.exec(text ?? "") ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED };
}

export function formatTraceParent({ traceId, spanId, traceFlags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** Returns the context of a new trace that isn't recorded. */
export function unrecordedContext(): TraceContext {
  // Version 4 leaves at least 60 random bits in the first half, and neither half can be zero.
  const traceId = randomUUID().replaceAll("-", "");
  return { traceId, spanId: randomUUID().replaceAll("-", "").slice(0, 16), traceFlags: 0 };
}
