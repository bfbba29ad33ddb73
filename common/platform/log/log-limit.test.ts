import { describe, expect, it } from "vitest";
import { LogLimit } from "./log-limit.ts";

function given() {
  const time = { nowMs: 0 };
  return { time, limit: new LogLimit(() => time.nowMs) };
}

describe("LogLimit", () => {
  it("lets each key through once a minute", () => {
    const { time, limit } = given();
    expect(["a", "b", "a", "b"].map((key) => limit.isDue(key))).toEqual([true, true, false, false]);
    time.nowMs = 59_999;
    expect(limit.isDue("a")).toBe(false);
    time.nowMs = 60_000;
    expect([limit.isDue("a"), limit.isDue("a")]).toEqual([true, false]);
  });

  it("lets ten keys through in a minute, whatever strangers choose", () => {
    const { time, limit } = given();
    const due = () => Array.from({ length: 100 }, () => limit.isDue(crypto.randomUUID())).filter(Boolean).length;
    expect([due(), due()]).toEqual([10, 0]);
    time.nowMs = 60_000;
    expect(due()).toBe(10);
  });
});
