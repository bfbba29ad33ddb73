import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LocalBus } from "../../../common/platform/bus/local-bus.ts";
import { callSignal, withCallSignal } from "../../../common/platform/concurrency/call-signal.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { SaleWatch } from "./sale-watch.ts";

const POLL_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("polls while a sale is watched, and not as part of the call that has begun it", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const watch = new SaleWatch({
    bus: new LocalBus(),
    readState: async () => ({ generation: "1", revision: 1n }),
    readVersions: async () => {
      signals.push(callSignal());
      return [];
    },
    logger: captureLog().logger,
    pollMs: POLL_MS,
    maxWatchers: 2,
  });
  watch.start();
  expect(vi.getTimerCount()).toBe(0);
  const first = withCallSignal(AbortSignal.abort(), () => watch.open("a"));
  const second = watch.open("a");
  first.close();
  await vi.advanceTimersByTimeAsync(2 * POLL_MS);
  expect(signals).toEqual([undefined, undefined]);
  second.close();
  expect(vi.getTimerCount()).toBe(0);
  watch.open("b");
  expect(vi.getTimerCount()).toBe(1);
  watch.stop();
  expect(vi.getTimerCount()).toBe(0);
  expect(() => watch.open("b")).toThrow(expect.objectContaining({ code: "unavailable" }));
  expect(vi.getTimerCount()).toBe(0);
});
