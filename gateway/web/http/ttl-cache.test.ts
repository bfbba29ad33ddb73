import { describe, expect, it } from "vitest";
import { TtlCache } from "./ttl-cache.ts";

function setUp(maxEntries = 2) {
  const state = { now: 0, failing: false, asked: [] as string[] };
  const calls = new TtlCache<string>({
    load: async (key) => {
      state.asked.push(key);
      if (state.failing) throw new Error("away");
      return `${key} ${state.asked.length}`;
    },
    ttlMs: 10,
    maxEntries,
    now: () => state.now,
  });
  return { state, calls };
}

describe("TtlCache", () => {
  it("asks once for those who ask at once, and again when the value is old", async () => {
    const { state, calls } = setUp();
    expect(await Promise.all([calls.get("a"), calls.get("a")])).toStrictEqual(["a 1", "a 1"]);
    state.now = 9;
    expect(await calls.get("a")).toBe("a 1");
    state.now = 10;
    expect(await calls.get("a")).toBe("a 2");
  });

  it("keeps returning the previous value while one call after another fails", async () => {
    const { state, calls } = setUp();
    await calls.get("a");
    state.failing = true;
    for (state.now = 10; state.now <= 30; state.now += 10) expect(await calls.get("a")).toBe("a 1");
    state.failing = false;
    expect(await calls.get("a")).toMatch(/^a [345]$/);
  });

  it("passes an error on where there is no value, and asks again at once", async () => {
    const { state, calls } = setUp();
    state.failing = true;
    await expect(calls.get("a")).rejects.toThrow("away");
    state.failing = false;
    expect(await calls.get("a")).toBe("a 2");
  });

  it("drops the least recently used value", async () => {
    const { state, calls } = setUp();
    for (const key of ["a", "b", "c", "b", "a"]) await calls.get(key);
    expect(state.asked).toStrictEqual(["a", "b", "c", "a"]);
    expect(calls.size).toBe(2);
  });
});
