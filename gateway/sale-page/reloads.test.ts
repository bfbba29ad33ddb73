import { describe, expect, it } from "vitest";
import { Reloads } from "./browser/reloads.js";

/** Seconds of two minutes in which a document was loaded that is asked for four times a second. */
function loadsOf(intervalMs: number, hasFailed: (seconds: number) => boolean): number[] {
  const reloads = new Reloads();
  const loads: number[] = [];
  for (let now = 0; now <= 120_000; now += 250) {
    if (!reloads.isDue(now, intervalMs)) continue;
    reloads.start(now);
    loads.push(now / 1_000);
    if (hasFailed(now / 1_000)) reloads.fail();
  }
  return loads;
}

describe("the times of loads", () => {
  it.each([5_000, 60_000])(
    "are 5 seconds apart while a document can't be read, at an interval of %i ms",
    (intervalMs) => {
      const loads = loadsOf(intervalMs, () => true);
      expect(loads.slice(0, 3)).toEqual([0, 5.25, 10.5]);
      expect(loads).toHaveLength(23);
    },
  );

  it("are an interval apart, and again after a failure", () => {
    expect(loadsOf(60_000, (seconds) => seconds === 0)).toEqual([0, 5.25, 65.5]);
  });

  it("begin at once where something is known to be newer", () => {
    const reloads = new Reloads();
    reloads.start(0);
    expect(reloads.isDue(1, 60_000)).toBe(false);
    reloads.hurry();
    expect(reloads.isDue(1, 60_000)).toBe(true);
  });
});
