import { describe, expect, it } from "vitest";
import { createMetrics } from "./metrics.ts";

describe("createMetrics", () => {
  it("has the runtime's metrics and says what runs", async () => {
    const text = await createMetrics({ service: "commitments" }).metrics();
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
    expect(text).toMatch(/^tidemark_process_info\{service="commitments",runtime="(node|deno) \d[^"]*"\} 1$/m);
  });

  it("gives each process its own registry", () => {
    expect(createMetrics({ service: "a" })).not.toBe(createMetrics({ service: "b" }));
  });
});
