import { describe, expect, it } from "vitest";
import { formatTraceParent, isSampled, parseTraceParent } from "./trace-context.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

describe("traceparent", () => {
  it.each([
    ["01", true],
    ["00", false],
    ["03", true],
  ])("is read with the flags %s", (flags, sampled) => {
    const context = parseTraceParent(`00-${TRACE}-${SPAN}-${flags}`);
    expect(context).toMatchObject({ traceId: TRACE, spanId: SPAN });
    expect(context && isSampled(context)).toBe(sampled);
  });

  it("is written as it was read", () => {
    const text = `00-${TRACE}-${SPAN}-01`;
    const context = parseTraceParent(text);
    expect(context && formatTraceParent(context)).toBe(text);
  });

  it.each([
    undefined,
    null,
    "",
    `01-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ])("is ignored as %j", (text) => {
    expect(parseTraceParent(text)).toBeUndefined();
  });
});
