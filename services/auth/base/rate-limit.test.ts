import { describe, expect, it } from "vitest";
import { LONGEST_WINDOW_MS, RATE_LIMITS } from "./rate-limit.ts";

describe("rate limits", () => {
  it("have windows that are kept until they end", () => {
    for (const { windowMs } of Object.values(RATE_LIMITS)) expect(windowMs).toBeLessThanOrEqual(LONGEST_WINDOW_MS);
  });
});
