import { describe, expect, it } from "vitest";
import { TtlCache } from "./ttl-cache.ts";

function setUp(maxEntries = 2, isHeld?: (value: string) => boolean) {
  const state = { now: 0, failing: false, asked: [] as string[], gate: Promise.resolve() };
  const calls = new TtlCache<string>({
    load: async (key) => {
      const value = `${key} ${state.asked.push(key)}`;
      await state.gate;
      if (state.failing) throw new Error("away");
      return value;
    },
    ttlMs: 10,
    maxAgeMs: 35,
    maxEntries,
    ...(isHeld && { isHeld }),
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

  it("says where it would have to ask", async () => {
    const { state, calls } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    expect(calls.has("a")).toBe(false);
    const value = calls.get("a");
    expect(calls.has("a")).toBe(true);
    resolve();
    await value;
    state.now = 9;
    expect(calls.has("a")).toBe(true);
    state.now = 10;
    expect(calls.has("a")).toBe(false);
  });

  it("keeps returning the previous value while one call after another fails", async () => {
    const { state, calls } = setUp();
    await calls.get("a");
    state.failing = true;
    for (state.now = 10; state.now <= 30; state.now += 10) expect(await calls.get("a")).toBe("a 1");
    state.failing = false;
    expect(await calls.get("a")).toMatch(/^a [345]$/);
  });

  it("returns it up to its greatest age, whenever the last load has failed, and from then on the error", async () => {
    const { state, calls } = setUp();
    await calls.get("a");
    state.failing = true;
    for (state.now = 10; state.now < 35; state.now += 8) expect(await calls.get("a")).toBe("a 1");
    state.now = 34;
    expect(await calls.get("a")).toBe("a 1");
    state.now = 35;
    await expect(calls.get("a")).rejects.toThrow("away");
    expect(calls.has("a")).toBe(false);
    state.failing = false;
    expect(await calls.get("a")).toMatch(/^a \d+$/);
  });

  it("returns the error where its load fails so late that the value has reached that age", async () => {
    const { state, calls } = setUp();
    await calls.get("a");
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(state, { failing: true, gate: promise, now: 34 });
    const late = calls.get("a");
    state.now = 35;
    resolve();
    await expect(late).rejects.toThrow("away");
  });

  it("passes an error on where there is no value, and asks again at once", async () => {
    const { state, calls } = setUp();
    state.failing = true;
    await expect(calls.get("a")).rejects.toThrow("away");
    state.failing = false;
    expect(await calls.get("a")).toBe("a 2");
  });

  it("keeps its values while others are asked for in vain", async () => {
    const { state, calls } = setUp();
    for (const key of ["a", "b"]) await calls.get(key);
    state.failing = true;
    const missing = Array.from({ length: 5 }, (_, number) => calls.get(`missing ${number}`));
    expect(await calls.get("a")).toBe("a 1");
    await Promise.allSettled(missing);
    expect([await calls.get("a"), await calls.get("b")]).toEqual(["a 1", "b 2"]);
  });

  it("holds nothing of a load that was under way when its key was forgotten", async () => {
    const { state, calls } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const early = calls.get("a");
    calls.delete("a");
    const late = calls.get("a");
    resolve();
    expect([await early, await late]).toEqual(["a 1", "a 2"]);
    expect([await calls.get("a"), state.asked]).toEqual(["a 2", ["a", "a"]]);
  });

  it("holds no value that isn't to be held, and ends the one before by it", async () => {
    const { state, calls } = setUp(2, (value) => value === "a 1");
    for (const key of ["a", "b", "c", "d", "a"]) await calls.get(key);
    expect([calls.size, state.asked]).toEqual([1, ["a", "b", "c", "d"]]);
    state.now = 10;
    expect(await calls.get("a")).toBe("a 5");
    expect(calls.size).toBe(0);
  });

  it("drops the least recently used value", async () => {
    const { state, calls } = setUp();
    for (const key of ["a", "b", "c", "b", "a"]) await calls.get(key);
    expect(state.asked).toStrictEqual(["a", "b", "c", "a"]);
    expect(calls.size).toBe(2);
  });
});
