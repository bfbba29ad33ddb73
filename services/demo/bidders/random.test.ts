import { describe, expect, it } from "vitest";
import { Random } from "./random.ts";

const drawn = <Value>(count: number, draw: () => Value) => Array.from({ length: count }, draw);

describe("Random", () => {
  it("gives the same numbers for the same seed, and others for another", () => {
    const sequence = (seed: number) => {
      const random = new Random(seed);
      return drawn(50, () => random.next());
    };
    expect(sequence(7)).toEqual(sequence(7));
    expect(sequence(8)).not.toEqual(sequence(7));
  });

  it("stays between 0 (inclusive) and 1 (exclusive), spread evenly", () => {
    const random = new Random(1);
    const tenths = new Array<number>(10).fill(0);
    for (const value of drawn(10_000, () => random.next())) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
      const tenth = Math.floor(value * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(200);
  });

  it("draws integers from the lowest to the highest", () => {
    const random = new Random(1);
    expect(new Set(drawn(200, () => random.integer(-1, 2)))).toEqual(new Set([-1, 0, 1, 2]));
    expect(random.integer(5, 5)).toBe(5);
  });

  it("picks every item of a list, and nothing from an empty one", () => {
    const random = new Random(1);
    expect(new Set(drawn(200, () => random.pick(["a", "b", "c"])))).toEqual(new Set(["a", "b", "c"]));
    expect(random.pick([])).toBeUndefined();
  });
});
