import { afterEach, expect, it } from "vitest";
import { captureLog } from "../testing/log-capture.ts";
import { ID_TRACER } from "./id-tracer.ts";
import { formatTraceParent, parseTraceParent } from "./trace-context.ts";
import { outgoingTrace, recordedTrace, setTracer, traceFrom, traceRoot, unrecorded } from "./tracing.ts";

const CALLER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", traceFlags: 1 };

afterEach(() => setTracer(undefined));

it("a process without a receiver of traces gives each request an ID of its own, and records nothing", async () => {
  setTracer(ID_TRACER);
  const { logger, lines } = captureLog();
  for (let count = 0; count < 2; count++) {
    await traceRoot("request", {}, async () => {
      await Promise.resolve();
      expect(recordedTrace()).toBeUndefined();
      logger.warn("within");
      const sent = outgoingTrace();
      expect(sent && parseTraceParent(formatTraceParent(sent))).toEqual({ ...sent, traceFlags: 0 });
      expect(lines.at(-1)).toMatchObject({ trace_id: sent?.traceId, span_id: sent?.spanId });
    });
  }
  expect(new Set(lines.map(({ trace_id }) => trace_id)).size).toBe(2);
});

it("it passes on the trace of its caller as it is", async () => {
  setTracer(ID_TRACER);
  await traceFrom(CALLER, "call", {}, async () => expect(outgoingTrace()).toEqual(CALLER));
});

it("work that isn't recorded has the ID of its caller in its log lines", () => {
  setTracer(ID_TRACER);
  const { logger, lines } = captureLog();
  unrecorded(CALLER, () => {
    logger.warn("within");
    expect(recordedTrace()).toBeUndefined();
  });
  unrecorded(undefined, () => logger.warn("within"));
  expect(lines[0]).toMatchObject({ trace_id: CALLER.traceId, span_id: CALLER.spanId });
  expect(lines[1]?.["trace_id"]).toMatch(/^[0-9a-f]{32}$/);
  expect(lines[1]?.["trace_id"]).not.toBe(CALLER.traceId);
});
