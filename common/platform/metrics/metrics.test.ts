import { describe, expect, it } from "vitest";
import { readRepository } from "../../../test/support/repository/repository.ts";
import { createMetrics } from "./metrics.ts";

describe("createMetrics", () => {
  it("has the runtime's metrics and says what runs", async () => {
    const text = await createMetrics({ service: "commitments" }).metrics();
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    const { version } = JSON.parse(readRepository("package.json"));
    expect(text).toMatch(
      /^tidemark_process_info\{service="commitments",version="[^"]*",runtime="(node|deno) \d[^"]*"\} 1$/m,
    );
    expect(text).toContain(`service="commitments",version="${version}",`);
  });

  it("gives each process its own registry", () => {
    expect(createMetrics({ service: "a" })).not.toBe(createMetrics({ service: "b" }));
  });
});
