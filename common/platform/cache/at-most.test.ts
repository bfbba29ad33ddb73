import { LRUCache } from "lru-cache";
import { describe, expect, it, vi } from "vitest";
import { atMost } from "./at-most.ts";

const MILLION = 1_000_000;

describe("a cache of at most so many entries", () => {
  it("reserves nothing for them", () => {
    const lengths = vi.spyOn(Array, "from");
    const cache = new LRUCache<string, number>(atMost(MILLION));
    expect(lengths.mock.calls).toEqual([[{ length: 0 }], [{ length: 0 }]]);
    lengths.mockRestore();
    expect(cache.max).toBe(0);
  });

  it("drops exactly those that were used the longest time ago, as one with the library's own bound", () => {
    const caches = [new LRUCache<number, number>(atMost(3)), new LRUCache<number, number>({ max: 3 })];
    const steps = [1, 2, 3, 1, 4, 4, 2, 5, 1, 6, 6, 7, 1, 8];
    const kept = caches.map((cache) =>
      steps.map((step, index) => {
        if (cache.get(step) === undefined) cache.set(step, index);
        if (index === 9) cache.delete(6);
        return Array.from(cache.keys());
      }),
    );
    expect(kept[0]).toEqual(kept[1]);
    expect(kept[0]?.at(-1)).toEqual([8, 1, 7]);
  });

  it("counts an entry that is set again, and one that is being fetched, once", async () => {
    const cache = new LRUCache<string, string>({ ...atMost(2), ttl: MILLION, fetchMethod: async (key) => key });
    for (const value of ["a", "b", "c"]) cache.set("first", value);
    await Promise.all([cache.fetch("second"), cache.fetch("second")]);
    expect(Array.from(cache.entries())).toEqual([
      ["second", "second"],
      ["first", "c"],
    ]);
    await cache.fetch("third");
    expect(Array.from(cache.keys())).toEqual(["third", "second"]);
  });

  it("refuses a bound below 1", () => {
    expect(() => new LRUCache(atMost(0))).toThrow(TypeError);
  });
});
