import { describe, expect, it } from "vitest";
import { SweepSchedule } from "./sweep-schedule.ts";

/** Work of nodes after which a sweep rests. */
const FREE_MS = 15_000;

/** A schedule with its clock, after a first sweep on which nodes worked for `nodeMs`. */
function afterSweep(nodeMs: number, intervalMs: number, rows = 1n) {
  const clock = { now: 1_000_000 };
  const schedule = new SweepSchedule(intervalMs, () => clock.now);
  schedule.applied(rows, nodeMs);
  return { schedule, clock };
}

describe("SweepSchedule", () => {
  it("has a sweep due at first", () => {
    const schedule = new SweepSchedule(1000, () => 5);
    expect([schedule.isDue(), schedule.rests()]).toEqual([true, false]);
  });

  it("doesn't rest after the first sweep of a sale, which may have to be repeated", () => {
    const { schedule } = afterSweep(FREE_MS, 10_000_000);
    expect(schedule.rests()).toBe(false);
  });

  it("rests nine times as long as nodes worked on the sweeps beyond that", () => {
    const { schedule, clock } = afterSweep(FREE_MS + 100, 10);
    clock.now += 899;
    expect([schedule.isDue(), schedule.rests()]).toEqual([false, true]);
    clock.now += 1;
    expect([schedule.isDue(), schedule.rests()]).toEqual([true, false]);
  });

  it("lets nodes work on sweeps a tenth of the time, whatever their length", () => {
    const { schedule, clock } = afterSweep(0, 10);
    let worked = 0;
    for (const end = clock.now + 10_000_000; clock.now < end; clock.now += 10) {
      if (schedule.rests()) continue;
      const nodeMs = 100 + (worked % 7) * 1000;
      clock.now += nodeMs;
      worked += nodeMs;
      schedule.applied(5n, nodeMs);
    }
    expect(worked).toBeGreaterThan(1_000_000);
    expect(worked).toBeLessThan(1_000_000 + 2 * FREE_MS);
  });

  it("doesn't rest after a sweep of no rows, however long that took", () => {
    const { schedule } = afterSweep(10 * FREE_MS, 5000, 0n);
    expect([schedule.isDue(), schedule.rests()]).toEqual([false, false]);
  });

  it("has a sweep due after the interval, if that is longer", () => {
    const { schedule, clock } = afterSweep(100, 5000);
    clock.now += 4999;
    expect([schedule.isDue(), schedule.rests()]).toEqual([false, false]);
    clock.now += 1;
    expect(schedule.isDue()).toBe(true);
  });

  it("has a sweep due at once after an untrusted partial read, until it is applied", () => {
    const { schedule, clock } = afterSweep(2 * FREE_MS, 5000);
    schedule.partialApplied();
    schedule.requireSweep();
    expect([schedule.isDue(), schedule.rests()]).toEqual([true, false]);
    clock.now += 10;
    expect(schedule.isDue()).toBe(true);
    schedule.applied(1n, 10);
    expect([schedule.isDue(), schedule.rests()]).toEqual([false, true]);
  });
});
