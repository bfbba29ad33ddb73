import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { captureLog } from "../testing/log-capture.ts";
import { DatabaseWatch } from "./database-watch.ts";

describe("the watch of a database", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A database that answers as long as `isAway` is false, with the times at which it was asked, in seconds. */
  function watched() {
    const state = { isAway: false };
    const begin = performance.now();
    const askedAt: number[] = [];
    const probe = async () => {
      askedAt.push((performance.now() - begin) / 1_000);
      if (state.isAway) throw new Error("it is away");
    };
    return { state, askedAt, watch: new DatabaseWatch(probe, captureLog().logger) };
  }

  it("asks every five seconds, and every two while there is no answer", async () => {
    const { state, askedAt, watch } = watched();
    expect(watch.status()).toBe("has not answered yet");
    await vi.advanceTimersByTimeAsync(4_999);
    expect(watch.status()).toBe(true);
    state.isAway = true;
    await vi.advanceTimersByTimeAsync(2_002);
    expect(watch.status()).toBe("does not answer");
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(watch.status()).toBe(true);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(askedAt).toEqual([0, 5, 7, 9, 14]);
    await watch.stop();
  });
});
