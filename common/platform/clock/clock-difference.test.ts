import { describe, expect, it } from "vitest";
import { certainDifferenceMs, clockDifference, clockLevel } from "./clock-difference.ts";

const AT = 1_800_000_000_000;

/** An answer after a round trip, by a clock from which this process's differs by so much. */
const reading = (roundTripMs: number, aheadMs: number, share = 0.5) => ({
  askedAtMs: AT,
  answeredAtMs: AT + roundTripMs,
  otherMs: AT + roundTripMs * share - aheadMs,
});

describe("clockDifference", () => {
  it.each([50_000, -50_000, 0, 3])("is found where this process is %d ms ahead", (aheadMs) => {
    expect(clockDifference([reading(20, aheadMs)])).toEqual({ aheadMs, uncertaintyMs: 10 });
  });

  it("is that of the quickest answer, whatever the slow ones say", () => {
    const quick = reading(4, 100);
    expect(clockDifference([reading(80_000, 0, 1), quick, reading(9_000, 0, 0)])).toEqual({
      aheadMs: 100,
      uncertaintyMs: 2,
    });
  });

  it("isn't known without a reading, nor where this clock was set back during all of them", () => {
    expect(clockDifference([])).toBeUndefined();
    expect(clockDifference([{ askedAtMs: AT, answeredAtMs: AT - 1, otherMs: AT }])).toBeUndefined();
  });
});

describe("certainDifferenceMs", () => {
  it.each([
    ["a slow answer that was read at its end proves nothing", [reading(80_000, 0, 1)], 0],
    ["nor does one that was read at its beginning", [reading(80_000, 0, 0)], 0],
    ["half of the round trip is left out, ahead", [reading(2_000, 6_000)], 5_000],
    ["and behind", [reading(2_000, -6_000)], -5_000],
  ])("%s", (_, readings, expected) => {
    const difference = clockDifference(readings);
    expect(difference && certainDifferenceMs(difference)).toBe(expected);
  });
});

describe("clockLevel", () => {
  it.each([
    [0, "fine"],
    [2_000, "fine"],
    [2_001, "warning"],
    [5_000, "warning"],
    [5_001, "alert"],
    [30_000, "alert"],
    [30_001, "unready"],
  ] as const)("is for %d ms, ahead and behind, %s", (ms, level) => {
    expect([clockLevel(ms), clockLevel(-ms)]).toEqual([level, level]);
  });
});
