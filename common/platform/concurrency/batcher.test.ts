import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Batcher } from "./batcher.ts";
import { callSignal, withCallSignal } from "./call-signal.ts";

describe("Batcher", () => {
  it("begins with all that arrive at the same moment, and runs those that arrive meanwhile in one batch, in order", async () => {
    const groups: (readonly number[])[] = [];
    const later: Promise<number>[] = [];
    const batcher: Batcher<number, number> = new Batcher(async (items: readonly number[]) => {
      groups.push(items);
      if (groups.length === 1) later.push(...[4, 5].map((item) => batcher.run(item)));
      return items.map((item) => item * 10);
    });
    const results = await Promise.all([1, 2, 3].map((item) => batcher.run(item)));
    expect([results, await Promise.all(later)]).toEqual([
      [10, 20, 30],
      [40, 50],
    ]);
    expect(await batcher.run(6)).toBe(60);
    expect(groups).toEqual([[1, 2, 3], [4, 5], [6]]);
  });

  describe("that waits for as many items as before", () => {
    afterEach(() => void vi.useRealTimers());

    /** A batcher whose first batch, of three items, has taken 8 ms. */
    async function afterBatchOfThree() {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
      const groups: (readonly number[])[] = [];
      const work = async (items: readonly number[]) => {
        groups.push(items);
        if (groups.length === 1) vi.advanceTimersByTime(8);
        return items;
      };
      const batcher = new Batcher(work, { maxWaitMs: 10 });
      await Promise.all([1, 2, 3].map((item) => batcher.run(item)));
      return { batcher, groups };
    }

    /** Turns the event loop more often than a batch that needn't wait does before it begins. */
    async function turns() {
      for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    }

    it("waits until as many are there as before", async () => {
      const { batcher, groups } = await afterBatchOfThree();
      const results = [batcher.run(4), batcher.run(5)];
      await turns();
      expect(groups).toHaveLength(1);
      results.push(batcher.run(6));
      expect(await Promise.all(results)).toEqual([4, 5, 6]);
      expect(groups).toEqual([
        [1, 2, 3],
        [4, 5, 6],
      ]);
    });

    it("waits no longer than the batch before took", async () => {
      const { batcher, groups } = await afterBatchOfThree();
      const result = batcher.run(4);
      await turns();
      vi.advanceTimersByTime(7);
      await turns();
      expect(groups).toHaveLength(1);
      vi.advanceTimersByTime(1);
      expect(await result).toBe(4);
    });

    it("doesn't wait when the batch before ended long ago", async () => {
      const { batcher } = await afterBatchOfThree();
      vi.advanceTimersByTime(8);
      expect(await batcher.run(4)).toBe(4);
    });
  });

  it("limits the size of a batch", async () => {
    const sizes: number[] = [];
    const batcher = new Batcher(async (items: readonly number[]) => {
      sizes.push(items.length);
      return items;
    });
    await Promise.all(Array.from({ length: 130 }, (_, item) => batcher.run(item)));
    expect(sizes).toEqual([64, 64, 2]);
  });

  it("fails all items of a batch together, and goes on", async () => {
    const batcher = new Batcher(async (items: readonly string[]) => {
      if (items.includes("bad")) throw new Error("no");
      return items;
    });
    expect(await batcher.run("a")).toBe("a");
    const results = await Promise.allSettled(["b", "bad"].map((item) => batcher.run(item)));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await batcher.run("c")).toBe("c");
  });

  it("fails if a result is missing", async () => {
    const batcher = new Batcher(async () => []);
    await expect(batcher.run(1)).rejects.toThrow(TypeError);
  });

  it("works outside of the call that begins a batch", async () => {
    const signals: unknown[] = [];
    const batcher = new Batcher(async (items: readonly number[]) => {
      signals.push(callSignal());
      return items;
    });
    await withCallSignal(AbortSignal.abort(), async () => {
      await batcher.run(1);
      await batcher.run(2);
    });
    expect(signals).toEqual([undefined, undefined]);
  });
});
