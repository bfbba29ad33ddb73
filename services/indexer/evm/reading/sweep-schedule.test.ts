import { describe, expect, it } from "vitest";
import { SweepSchedule } from "./sweep-schedule.ts";

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

  it("rests nine times as long as nodes worked on the sweep", () => {
    const { schedule, clock } = afterSweep(100, 10);
    clock.now += 899;
    expect([schedule.isDue(), schedule.rests()]).toEqual([false, true]);
    clock.now += 1;
    expect([schedule.isDue(), schedule.rests()]).toEqual([true, false]);
  });

  it("doesn't rest after a sweep of no rows, however long that took", () => {
    const { schedule } = afterSweep(100, 5000, 0n);
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
    const { schedule, clock } = afterSweep(100, 5000);
    schedule.partialApplied();
    schedule.requireSweep();
    expect([schedule.isDue(), schedule.rests()]).toEqual([true, false]);
    clock.now += 10;
    expect(schedule.isDue()).toBe(true);
    schedule.applied(1n, 10);
    expect([schedule.isDue(), schedule.rests()]).toEqual([false, true]);
  });
});
