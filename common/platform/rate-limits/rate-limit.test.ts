import { describe, expect, it } from "vitest";
import { blockOf, secondsUntil, windowStart } from "./rate-limit.ts";

describe("rate limits", () => {
  it("are taken a tenth at a time, and at least one", () => {
    expect(blockOf({ count: 300, windowMs: 1n })).toBe(30);
    expect(blockOf({ count: 19, windowMs: 1n })).toBe(1);
    expect(blockOf({ count: 3, windowMs: 1n })).toBe(1);
  });

  it("have windows that begin at the same moments everywhere", () => {
    const rule = { count: 1, windowMs: 600_000n };
    expect(windowStart(rule, 1_200_000n)).toBe(1_200_000n);
    expect(windowStart(rule, 1_799_999n)).toBe(1_200_000n);
  });

  it("give a time to wait in whole seconds, never too short and never zero", () => {
    expect(secondsUntil(10_001n, 0n)).toBe(11);
    expect(secondsUntil(10_000n, 10_000n)).toBe(1);
  });
});
