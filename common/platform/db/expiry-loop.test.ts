import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { captureLog } from "../testing/log-capture.ts";
import { startExpiryLoop } from "./expiry-loop.ts";

const INTERVAL_MS = 60_000;

describe("startExpiryLoop", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function start(deleteExpired: (signal: AbortSignal) => Promise<void>, log = captureLog()) {
    return startExpiryLoop({ deleteExpired, intervalMs: INTERVAL_MS, logger: log.logger });
  }

  it("deletes what is expired at an interval, and not before", async () => {
    const deleteExpired = vi.fn(async () => {});
    const stop = start(deleteExpired);
    vi.advanceTimersByTime(INTERVAL_MS - 1);
    expect(deleteExpired).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(deleteExpired).toHaveBeenCalledTimes(2);
    await stop();
  });

  it("runs once at a time, however long a run takes", async () => {
    const first = Promise.withResolvers<void>();
    const deleteExpired = vi.fn(() => first.promise);
    const stop = start(deleteExpired);
    await vi.advanceTimersByTimeAsync(3 * INTERVAL_MS);
    expect(deleteExpired).toHaveBeenCalledTimes(1);
    first.resolve();
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(deleteExpired).toHaveBeenCalledTimes(2);
    await stop();
  });

  it("logs a failure and tries again at the next interval", async () => {
    const log = captureLog();
    const deleteExpired = vi.fn(async () => {}).mockRejectedValueOnce(new Error("no table"));
    const stop = start(deleteExpired, log);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(log.lines).toMatchObject([
      { level: "warn", msg: "expired rows stay for now", err: { message: "no table" } },
    ]);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(deleteExpired).toHaveBeenCalledTimes(2);
    await stop();
  });

  it("stops for good, after the current run, whose signal is aborted", async () => {
    let received: AbortSignal | undefined;
    const first = Promise.withResolvers<void>();
    const deleteExpired = vi.fn((signal: AbortSignal) => {
      received = signal;
      return first.promise;
    });
    const stop = start(deleteExpired);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    let stopped = false;
    const stopping = stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect([received?.aborted, stopped]).toEqual([true, false]);
    first.resolve();
    await stopping;
    await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(deleteExpired).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
