import { describe, expect, it } from "vitest";
import { SweepSchedule } from "./sweep-schedule.ts";

/** A schedule whose first sweep took `duration` of the clock that is returned beside it. */
function afterSweep(duration: number, intervalMs: number, rows = 1n) {
  const clock = { now: 1_000_000 };
  const schedule = new SweepSchedule(intervalMs, () => clock.now);
  const finish = schedule.begin();
  clock.now += duration;
  finish(rows);
  return { schedule, clock };
}

describe("SweepSchedule", () => {
  it("has a sweep due at first", () => {
    const schedule = new SweepSchedule(1000, () => 5);
    expect([schedule.isDue(), schedule.rests()]).toEqual([true, false]);
  });

  it("rests nine times as long as the sweep took", () => {
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

  it("lets a doubt after a partial reading be cleared up at once, until the next sweep is applied", () => {
    const { schedule, clock } = afterSweep(100, 5000);
    schedule.partialApplied();
    schedule.doubt();
    expect([schedule.isDue(), schedule.rests()]).toEqual([true, false]);
    const finish = schedule.begin();
    clock.now += 10;
    expect(schedule.isDue()).toBe(true);
    finish(1n);
    expect([schedule.isDue(), schedule.rests()]).toEqual([false, true]);
  });
});
