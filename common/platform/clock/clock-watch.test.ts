import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { Lifecycle } from "../lifecycle/lifecycle.ts";
import { captureLog } from "../testing/log-capture.ts";
import { ClockWatch, startClockWatch } from "./clock-watch.ts";

const AT = 1_800_000_000_000;

/** A watch of a clock from which this process's differs by `aheadMs`, after round trips of `roundTripsMs` in turn. */
function given(roundTripsMs: readonly number[] = [2]) {
  const { logger, lines } = captureLog();
  const state = { nowMs: AT, setMs: 0, aheadMs: 0, isAway: false, asked: 0 };
  const readOther = async () => {
    if (state.isAway) throw new Error("away");
    const roundTripMs = roundTripsMs[state.asked++ % roundTripsMs.length] ?? 0;
    const otherMs = state.nowMs + roundTripMs / 2 - state.aheadMs;
    state.nowMs += roundTripMs;
    return otherMs;
  };
  const options = {
    comparedWith: "database",
    readOther,
    logger,
    wallClock: () => state.nowMs + state.setMs,
    monotonicNow: () => state.nowMs - AT,
  };
  return { state, options, lines, watch: new ClockWatch(options) };
}

describe("ClockWatch", () => {
  it.each([
    [2_000, undefined, undefined],
    [2_001, "warn", undefined],
    [5_001, "error", undefined],
    [30_000, "error", undefined],
    [30_002, "error", "this process's clock is 30 s ahead of that of the database"],
    [-50_000, "error", "this process's clock is 50 s behind that of the database"],
  ] as const)("logs and refuses at %d ms: %s, %s", async (aheadMs, level, refusal) => {
    const { state, watch, lines } = given([0]);
    state.aheadMs = aheadMs;
    await watch.compare();
    expect(lines.map((line) => line["level"])).toEqual(level === undefined ? [] : [level]);
    expect(watch.refusal()).toBe(refusal);
    expect(watch.differenceSeconds()).toBe(aheadMs / 1_000);
  });

  it("takes no slow answer for a difference, and the quickest of several", async () => {
    const slow = given([90_000]);
    await slow.watch.compare();
    expect([slow.watch.refusal(), slow.lines, slow.watch.differenceSeconds()]).toEqual([undefined, [], 0]);
    const mixed = given([90_000, 90_000, 2, 90_000]);
    mixed.state.aheadMs = 40_000;
    await mixed.watch.compare();
    expect(mixed.watch.differenceSeconds()).toBe(39.999);
  });

  it("says once that the clock is wrong, and once that it is right again; without an answer it stays as it was", async () => {
    const { state, watch, lines } = given();
    state.aheadMs = -40_000;
    expect([await watch.compare(), await watch.compare()]).toEqual([true, true]);
    state.isAway = true;
    expect(await watch.compare()).toBe(false);
    expect(watch.refusal()).toContain("40 s behind");
    Object.assign(state, { isAway: false, aheadMs: 0 });
    await watch.compare();
    expect(watch.refusal()).toBeUndefined();
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ["error", "this process's clock is 40 s behind that of the database"],
      ["info", "this process's clock agrees with that of the database again"],
    ]);
  });

  it("has this process's time while they agree, and the other's where they differ by more than two seconds", async () => {
    const { state, watch } = given([0]);
    state.aheadMs = 1_999;
    await watch.compare();
    expect(watch.now()).toBe(BigInt(AT));
    state.aheadMs = 20_000;
    await watch.compare();
    expect(watch.now()).toBe(BigInt(AT - 20_000));
    state.nowMs += 500;
    expect(watch.now()).toBe(BigInt(AT - 19_500));
  });
});

describe("a clock that is set", () => {
  it.each([4_000, -3_600_000, 3_600_000])("by %d ms counts only once it was compared again", async (stepMs) => {
    const { state, watch } = given([0]);
    await watch.compare();
    state.setMs = stepMs;
    const asked = state.asked;
    state.nowMs += 500;
    expect(watch.now()).toBe(BigInt(AT + 500));
    await expect.poll(() => watch.differenceSeconds()).toBe(stepMs / 1_000);
    expect(watch.now()).toBe(BigInt(AT + 500));
    expect(state.asked).toBe(asked + 5);
  });

  it("is compared again every two seconds at most while nobody answers, and is followed after some minutes", async () => {
    const { state, watch } = given([0]);
    await watch.compare();
    Object.assign(state, { setMs: 10_000, isAway: true });
    for (const afterMs of [0, 1_000, 1_999]) {
      state.nowMs = AT + afterMs;
      expect(watch.now()).toBe(BigInt(AT + afterMs));
    }
    state.nowMs = AT + 180_001;
    expect(watch.now()).toBe(BigInt(AT + 190_001));
  });

  it("isn't followed while it is only corrected slowly", async () => {
    const { state, watch } = given([0]);
    await watch.compare();
    Object.assign(state, { nowMs: AT + 60_000, setMs: 30 });
    expect(watch.now()).toBe(BigInt(AT + 60_030));
  });
});

describe("startClockWatch", () => {
  it.each([true, false])("decides readiness: %s", async (decidesReadiness) => {
    const { state, options } = given();
    state.aheadMs = 50_000;
    const lifecycle = new Lifecycle({ logger: options.logger });
    lifecycle.markReady();
    const registry = new Registry();
    const watch = await startClockWatch({ ...options, decidesReadiness, lifecycle, registry });
    await expect.poll(() => watch.refusal()).toContain("50 s ahead");
    expect(lifecycle.notReady().map(({ name }) => name)).toEqual(decidesReadiness ? ["clock"] : []);
    expect(await registry.metrics()).toContain(
      'tidemark_process_clock_difference_seconds{compared_with="database"} 49.999',
    );
    await lifecycle.stop();
  });

  it("compares nothing where there is no other clock", async () => {
    const { options } = given();
    const lifecycle = new Lifecycle({ logger: options.logger });
    const shared = { lifecycle, registry: new Registry(), decidesReadiness: true };
    const watch = await startClockWatch({ ...options, ...shared, readOther: undefined });
    expect([watch.now(), watch.refusal()]).toEqual([BigInt(AT), undefined]);
  });
});
