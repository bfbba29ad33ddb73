import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { InterruptibleWait } from "./interruptible-wait.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const forever = new AbortController().signal;

/** The fake milliseconds that a wait of 1,000 lasts, measured every 250. `then` is called at 250. */
async function lasts(pause: InterruptibleWait, signal: AbortSignal, then: () => void = () => {}): Promise<number> {
  let isOver = false;
  const waiting = pause.wait(1_000, signal).then(() => {
    isOver = true;
  });
  let millis = 0;
  await vi.advanceTimersByTimeAsync(0);
  while (!isOver) {
    await vi.advanceTimersByTimeAsync(250);
    millis += 250;
    if (millis === 250) then();
    await vi.advanceTimersByTimeAsync(0);
  }
  await waiting;
  return millis;
}

describe("InterruptibleWait", () => {
  it("ends after its time, again and again", async () => {
    const pause = new InterruptibleWait();
    expect([await lasts(pause, forever), await lasts(pause, forever)]).toEqual([1_000, 1_000]);
  });

  it("ends with an event, and waits anew after that", async () => {
    const pause = new InterruptibleWait();
    expect(await lasts(pause, forever, () => pause.end())).toBe(250);
    expect(await lasts(pause, forever)).toBe(1_000);
  });

  it("doesn't wait after an event that came while nobody waited, once", async () => {
    const pause = new InterruptibleWait();
    pause.end();
    pause.end();
    expect(await lasts(pause, forever)).toBe(0);
    expect(await lasts(pause, forever)).toBe(1_000);
  });

  it("ends with the signal, without an error", async () => {
    const stopping = new AbortController();
    const pause = new InterruptibleWait();
    expect(await lasts(pause, stopping.signal, () => stopping.abort(new Error("the end")))).toBe(250);
    expect(await lasts(pause, stopping.signal)).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
