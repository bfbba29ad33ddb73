import { describe, expect, it } from "vitest";
import { flatness } from "./flatness.ts";

describe("flatness", () => {
  it("ignores the first third and peaks", () => {
    expect(flatness([10, 50, 100, 100, 180, 101, 102, 190, 101], 0.05, 0)).toEqual({
      middle: 101,
      last: 102,
      isFlat: true,
    });
  });

  it("detects steady growth", () => {
    const leaking = Array.from({ length: 30 }, (_, index) => 100 + index);
    expect(flatness(leaking, 0.05, 0).isFlat).toBe(false);
    expect(flatness(leaking, 0.05, 10).isFlat).toBe(true);
  });

  it("needs three values", () => {
    expect(() => flatness([1, 2], 0, 0)).toThrow(RangeError);
  });
});
