import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatTraceParent, type TraceContext } from "./trace-context.ts";
import {
  attachTrace,
  currentTrace,
  outgoingTrace,
  recordedTrace,
  setTracer,
  trace,
  traceFields,
  traceFrom,
  traceOf,
  traceRoot,
} from "./tracing.ts";

interface Noted {
  readonly name: string;
  readonly parent: TraceContext | undefined;
  failure?: string;
  ended: boolean;
}

describe("tracing", () => {
  let noted: Noted[];
  let flags: number;

  beforeEach(() => {
    noted = [];
    flags = 1;
    setTracer({
      start: (name, parent) => {
        const span: Noted = { name, parent, ended: false };
        noted.push(span);
        const spanId = String(noted.length).padStart(16, "0");
        return {
          context: { traceId: parent?.traceId ?? spanId.repeat(2), spanId, traceFlags: flags },
          set: () => {},
          rename: () => {},
          fail: (type) => {
            span.failure = type;
          },
          end: () => {
            span.ended = true;
          },
        };
      },
    });
  });
  afterEach(() => setTracer(undefined));

  it("follows the caller across waits, and ends with it", async () => {
    await traceRoot("outer", {}, async (outer) => {
      await Promise.resolve();
      expect(currentTrace()).toBe(outer?.context);
      await trace("inner", {}, async () => expect(noted[0]?.ended).toBe(false));
      expect(traceFields()).toEqual({ trace_id: outer?.context.traceId, span_id: outer?.context.spanId });
    });
    expect(noted).toMatchObject([
      { name: "outer", parent: undefined, ended: true },
      { name: "inner", parent: { spanId: "0000000000000001" }, ended: true },
    ]);
    expect(currentTrace()).toBeUndefined();
  });

  it("begins nothing outside of a trace but a root", async () => {
    await trace("alone", {}, async (span) => expect(span).toBeUndefined());
    await traceFrom(undefined, "without parent", {}, async (span) => expect(span).toBeUndefined());
    expect(noted).toEqual([]);
  });

  it("sends a context that isn't recorded with calls outside of a trace", () => {
    const outgoing = outgoingTrace();
    expect(outgoing && formatTraceParent(outgoing)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });

  it("leaves it to the span's settings what is a failure of it", async () => {
    const failureType = (error: unknown) => (error instanceof TypeError ? "type" : undefined);
    await expect(traceRoot("its own", { failureType }, () => Promise.reject(new TypeError()))).rejects.toThrow();
    await expect(traceRoot("not its own", { failureType }, () => Promise.reject(new RangeError()))).rejects.toThrow();
    expect(noted).toMatchObject([{ failure: "type" }, { ended: true }]);
    expect(noted[1]).not.toHaveProperty("failure");
  });

  it("notes of a failure its code or class, never its message", async () => {
    const secret = Object.assign(new Error("hunter2"), { code: "ECONNRESET" });
    await expect(traceRoot("coded", {}, () => Promise.reject(secret))).rejects.toBe(secret);
    await expect(traceRoot("plain", {}, () => Promise.reject(new TypeError("hunter2")))).rejects.toThrow(TypeError);
    expect(noted.map(({ failure }) => failure)).toEqual(["ECONNRESET", "TypeError"]);
  });

  it("remembers where an object came from, if that is recorded", async () => {
    const [kept, unrecorded] = [{}, {}];
    await traceRoot("recorded", {}, async () => attachTrace(kept));
    flags = 0;
    await traceRoot("unrecorded", {}, async () => {
      expect(recordedTrace()).toBeUndefined();
      attachTrace(unrecorded);
    });
    expect([traceOf(kept)?.spanId, traceOf(unrecorded)]).toEqual(["0000000000000001", undefined]);
  });

  it("is nothing once it is off", async () => {
    setTracer(undefined);
    await traceRoot("off", {}, async (span) =>
      expect([span, currentTrace(), outgoingTrace()]).toEqual([undefined, undefined, undefined]),
    );
    expect(noted).toEqual([]);
  });
});
