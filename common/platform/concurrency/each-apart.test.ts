import { describe, expect, it, vi } from "vitest";
import { eachApart } from "./each-apart.ts";

/** Work that fails for some items. */
function given(...failing: readonly number[]) {
  const done: number[] = [];
  const work = async (item: number) => {
    if (failing.includes(item)) throw new Error(`no ${item}`);
    done.push(item);
  };
  return { done, work };
}

describe("eachApart", () => {
  it("does the work of the others where one fails, and throws its failure at the end", async () => {
    const { done, work } = given(1);
    await expect(eachApart([1, 2, 3], work)).rejects.toThrow(new Error("no 1"));
    expect(done).toEqual([2, 3]);
  });

  it("throws all failures", async () => {
    const { done, work } = given(1, 3);
    const failure = { name: "AggregateError", errors: [new Error("no 1"), new Error("no 3")] };
    await expect(eachApart([1, 2, 3], work)).rejects.toMatchObject(failure);
    expect(done).toEqual([2]);
  });

  it("ends with its signal", async () => {
    const { done, work } = given();
    const ending = new AbortController();
    const last = async (item: number) => {
      await work(item);
      ending.abort();
    };
    await eachApart([1, 2], last, ending.signal);
    expect(done).toEqual([1]);
  });

  it("has as many items under way as it may", async () => {
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => void ends.push(resolve));
    const all = eachApart([1, 2, 3], work, undefined, 2);
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await vi.waitFor(() => expect(ends).toHaveLength(3));
    for (const end of ends) end();
    await all;
  });
});
