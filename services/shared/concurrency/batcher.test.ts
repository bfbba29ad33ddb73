import { describe, expect, it } from "vitest";
import { GroupQueue } from "./batcher.ts";
import { callSignal, withCallSignal } from "./call-signal.ts";

describe("GroupQueue", () => {
  it("does one at once, and what arrives meanwhile together, in order", async () => {
    const groups: (readonly number[])[] = [];
    const queue = new GroupQueue(async (items: readonly number[]) => {
      groups.push(items);
      return items.map((item) => item * 10);
    });
    const results = await Promise.all([1, 2, 3, 4].map((item) => queue.run(item)));
    expect([groups, results]).toEqual([
      [[1], [2, 3, 4]],
      [10, 20, 30, 40],
    ]);
    expect(await queue.run(5)).toBe(50);
  });

  it("bounds its groups", async () => {
    const sizes: number[] = [];
    const queue = new GroupQueue(async (items: readonly number[]) => {
      sizes.push(items.length);
      return items;
    });
    await Promise.all(Array.from({ length: 130 }, (_, item) => queue.run(item)));
    expect(sizes).toEqual([1, 64, 64, 1]);
  });

  it("fails a group as one, and goes on", async () => {
    const queue = new GroupQueue(async (items: readonly string[]) => {
      if (items.includes("bad")) throw new Error("no");
      return items;
    });
    const results = await Promise.allSettled(["a", "b", "bad"].map((item) => queue.run(item)));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await queue.run("c")).toBe("c");
  });

  it("fails where a result is missing", async () => {
    const queue = new GroupQueue(async () => []);
    await expect(queue.run(1)).rejects.toThrow(TypeError);
  });

  it("works outside of the call that begins a group", async () => {
    const signals: unknown[] = [];
    const queue = new GroupQueue(async (items: readonly number[]) => {
      signals.push(callSignal());
      return items;
    });
    await withCallSignal(AbortSignal.abort(), () => Promise.all([queue.run(1), queue.run(2)]));
    expect(signals).toEqual([undefined, undefined]);
  });
});
