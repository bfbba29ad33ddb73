import { describe, expect, it } from "vitest";
import { CheckLimit } from "./check-limit.ts";

function taken(limit: CheckLimit, account: string, times: number): number {
  return Array.from({ length: times }, () => limit.take(account)).filter(Boolean).length;
}

describe("CheckLimit", () => {
  it("lets an account have twenty checks a minute, whatever others do", () => {
    let now = 1_000;
    const limit = new CheckLimit({ now: () => now });
    expect(taken(limit, "a", 30)).toBe(20);
    expect(taken(limit, "b", 5)).toBe(5);
    now += 59_999;
    expect(limit.take("a")).toBe(false);
    expect(limit.take("b")).toBe(true);
    now += 1;
    expect(taken(limit, "a", 30)).toBe(20);
  });

  it("counts a bounded number of accounts", () => {
    const limit = new CheckLimit({ now: () => 0, maxKeys: 2 });
    expect(taken(limit, "a", 30)).toBe(20);
    taken(limit, "b", 20);
    expect(limit.take("a")).toBe(false);
    taken(limit, "c", 1);
    expect(limit.take("b")).toBe(false);
    expect(limit.take("a")).toBe(true);
  });
});
