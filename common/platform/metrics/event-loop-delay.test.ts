import { setImmediate as turn } from "node:timers/promises";
import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { itOnNode } from "../testing/it-on-node.ts";
import { delayMs, exportEventLoopDelay, meanDelayMs, turnsOf } from "./event-loop-delay.ts";

const SECOND_MS = 1_000;

describe("turnsOf", () => {
  it("counts the turns up to each percentile", () => {
    const percentiles = new Map([
      [0, 1e6],
      [50, 2e6],
      [75, 8e6],
      [100, 300e6],
    ]);
    expect(turnsOf(8, percentiles)).toEqual([
      { count: 0, lengthMs: 1 },
      { count: 4, lengthMs: 2 },
      { count: 2, lengthMs: 8 },
      { count: 2, lengthMs: 300 },
    ]);
  });
});

describe("delayMs", () => {
  it("is the delay that all but a share of timers don't exceed, whatever the turns are", () => {
    const turns = [
      { count: 900, lengthMs: 0.1 },
      { count: 20, lengthMs: 10 },
      { count: 2, lengthMs: 250 },
    ];
    for (const share of [0.5, 0.9, 0.99]) {
      const found = delayMs(turns, SECOND_MS, share);
      const beyond = turns.reduce((sum, { count, lengthMs }) => sum + count * Math.max(0, lengthMs - found), 0);
      expect(beyond).toBeCloseTo((1 - share) * SECOND_MS);
    }
  });

  it("is nothing while no more than that share is late at all", () => {
    expect(delayMs([{ count: 5, lengthMs: 1 }], SECOND_MS, 0.99)).toBe(0);
    expect(delayMs([], SECOND_MS, 0.99)).toBe(0);
  });

  it("finds one long turn among many short ones", () => {
    const turns = [
      { count: 90_000, lengthMs: 0.01 },
      { count: 1, lengthMs: 100 },
    ];
    expect(delayMs(turns, SECOND_MS, 0.99)).toBeCloseTo(90);
  });
});

describe("meanDelayMs", () => {
  it("is half of the turn in which a timer is due", () => {
    expect(meanDelayMs([{ count: 1, lengthMs: 1_000 }], SECOND_MS)).toBe(500);
    expect(meanDelayMs([{ count: 10, lengthMs: 100 }], SECOND_MS)).toBe(50);
    expect(meanDelayMs([], SECOND_MS)).toBe(0);
  });
});

describe("exportEventLoopDelay", () => {
  itOnNode("its histogram sees no long turn")("says how late timers were since the last time", async () => {
    const registry = new Registry();
    exportEventLoopDelay(registry);
    await registry.metrics();
    await turn();
    const end = performance.now() + 200;
    while (performance.now() < end);
    await turn();
    await turn();
    const during = await registry.metrics();
    expect(figure(during, "max")).toBeGreaterThanOrEqual(0.18);
    expect(figure(during, "p99")).toBeGreaterThan(0.1);
    expect(figure(during, "mean")).toBeGreaterThan(0.01);
    await turn();
    expect(figure(await registry.metrics(), "max")).toBeLessThan(0.18);
  });
});

function figure(text: string, what: string): number {
  return Number(new RegExp(`^nodejs_eventloop_lag_${what}_seconds (\\S+)$`, "m").exec(text)?.[1]);
}
