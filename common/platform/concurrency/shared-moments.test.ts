import { expect, it } from "vitest";
import { untilSharedMoment } from "./shared-moments.ts";

it("ends at the multiples of the interval, each once, even if a wait has ended a moment early", () => {
  expect([0, 500, 1_800, 1_801, 1_999.7, 2_000].map((now) => now + untilSharedMoment(2_000, now))).toEqual([
    2_000, 2_000, 2_000, 4_000, 4_000, 4_000,
  ]);
});
