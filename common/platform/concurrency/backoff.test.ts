import { afterEach, describe, expect, it, vi } from "vitest";
import { backoffMs } from "./backoff.ts";

describe("backoffMs", () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    [1, { firstMs: 100, longestMs: 1_000 }, 100],
    [3, { firstMs: 100, longestMs: 1_000 }, 400],
    [5, { firstMs: 100, longestMs: 1_000 }, 1_000],
    [3, { firstMs: 100, longestMs: 9_000, factor: 4 }, 1_600],
    [5_000, { firstMs: 100, longestMs: 1_000 }, 1_000],
  ])("after %i failures in a row of %j lies between half and all of %i ms", (failures, backoff, longest) => {
    const random = vi.spyOn(Math, "random").mockReturnValue(0);
    expect(backoffMs(failures, backoff)).toBe(longest / 2);
    random.mockReturnValue(1);
    expect(backoffMs(failures, backoff)).toBe(longest);
  });
});
