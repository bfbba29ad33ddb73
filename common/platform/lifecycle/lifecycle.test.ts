import { describe, expect, it } from "vitest";
import { captureLog } from "../testing/log-capture.ts";
import { Lifecycle } from "./lifecycle.ts";

function lifecycle(options: { drainDelayMs?: number; stepTimeoutMs?: number } = {}) {
  const { logger, lines } = captureLog();
  return { lines, lifecycle: new Lifecycle({ logger, ...options }) };
}

describe("readiness", () => {
  it("comes with markReady and goes with stop", async () => {
    const { lifecycle: process } = lifecycle();
    expect(process.notReady()).toEqual([{ name: "lifecycle", reason: "starting" }]);
    process.markReady();
    expect(process.isReady()).toBe(true);
    const stopped = process.stop();
    expect(process.notReady()).toEqual([{ name: "lifecycle", reason: "stopping" }]);
    await stopped;
    expect(process.isReady()).toBe(false);
  });

  it("needs every check", () => {
    const { lifecycle: process } = lifecycle();
    process.markReady();
    process.addReadinessCheck("database", () => true);
    process.addReadinessCheck("bus", () => "not connected");
    process.addReadinessCheck("cache", () => false);
    process.addReadinessCheck("broken", () => {
      throw new Error("secret");
    });
    expect(process.notReady()).toEqual([
      { name: "bus", reason: "not connected" },
      { name: "cache", reason: "failing" },
      { name: "broken", reason: "check failed" },
    ]);
  });
});

describe("stop", () => {
  it("runs the steps one after another, registered last first", async () => {
    const { lifecycle: process } = lifecycle();
    const order: string[] = [];
    process.onStop("pool", () => void order.push("pool"));
    process.onStop("server", async () => {
      order.push("server begins");
      await Promise.resolve();
      order.push("server ends");
    });
    await process.stop();
    expect(order).toEqual(["server begins", "server ends", "pool"]);
  });

  it("fails readiness and announces the end before the drain delay, and runs the steps after it", async () => {
    const { lifecycle: process } = lifecycle({ drainDelayMs: 20 });
    process.markReady();
    expect(process.stopping.aborted).toBe(false);
    let stepRan = false;
    process.onStop("server", () => {
      stepRan = true;
    });
    const stopped = process.stop();
    await Promise.resolve();
    expect([process.isReady(), process.stopping.aborted, stepRan]).toEqual([false, true, false]);
    await stopped;
    expect(stepRan).toBe(true);
  });

  it("happens once, however often it is called", async () => {
    const { lifecycle: process } = lifecycle();
    let runs = 0;
    process.onStop("pool", () => {
      runs += 1;
    });
    await Promise.all([process.stop(), process.stop()]);
    await process.stop();
    expect(runs).toBe(1);
  });

  it("runs the other steps after one fails, then says which failed", async () => {
    const { lifecycle: process, lines } = lifecycle();
    const order: string[] = [];
    process.onStop("pool", () => void order.push("pool"));
    process.onStop("bus", () => Promise.reject(new Error("no bus")));
    process.onStop("server", () => {
      throw new Error("no server");
    });
    await expect(process.stop()).rejects.toThrow(AggregateError);
    expect(order).toEqual(["pool"]);
    expect(lines.filter(({ level }) => level === "error").map(({ step }) => step)).toEqual(["server", "bus"]);
  });

  it("gives each step a deadline, and doesn't wait for a step that ignores it", async () => {
    const { lifecycle: process, lines } = lifecycle({ stepTimeoutMs: 20 });
    const heeded = Promise.withResolvers<void>();
    process.onStop("heeds", (deadline) => {
      deadline.addEventListener("abort", () => heeded.resolve());
      return heeded.promise;
    });
    process.onStop("hangs", () => new Promise(() => {}));
    await expect(process.stop()).rejects.toThrow(AggregateError);
    expect(lines.filter(({ level }) => level === "error").map(({ step }) => step)).toEqual(["hangs"]);
  });
});
