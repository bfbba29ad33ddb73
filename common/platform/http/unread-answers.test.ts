import { describe, expect, it } from "vitest";
import { UnreadAnswers } from "./unread-answers.ts";

const TIMEOUT_MS = 100;
const connection = (bytesWritten: number, writeQueueSize: number) => ({ _handle: { bytesWritten, writeQueueSize } });

describe("UnreadAnswers", () => {
  it("finds a connection of which nothing is taken for the timeout", () => {
    const unread = new UnreadAnswers<object>(TIMEOUT_MS);
    const still = connection(1_000, 400);
    expect(unread.stalled([still], 0)).toEqual([]);
    // More to write is no progress.
    Object.assign(still._handle, { bytesWritten: 1_500, writeQueueSize: 900 });
    expect(unread.stalled([still], 99)).toEqual([]);
    expect(unread.stalled([still], 100)).toEqual([still]);
  });

  it("leaves a reader alone that takes one byte within each timeout", () => {
    const unread = new UnreadAnswers<object>(TIMEOUT_MS);
    const slow = connection(10_000, 5_000);
    for (let now = 0; now < 5_000; now += 50) {
      if (now % 100 === 0) slow._handle.writeQueueSize--;
      expect(unread.stalled([slow], now)).toEqual([]);
    }
  });

  it("begins anew where everything was taken in between", () => {
    const unread = new UnreadAnswers<object>(TIMEOUT_MS);
    const kept = connection(1_000, 1_000);
    unread.stalled([kept], 0);
    kept._handle.writeQueueSize = 0;
    expect(unread.stalled([kept], 90)).toEqual([]);
    Object.assign(kept._handle, { bytesWritten: 2_000, writeQueueSize: 2_000 });
    expect(unread.stalled([kept], 100)).toEqual([]);
    expect(unread.stalled([kept], 200)).toEqual([kept]);
  });

  it("leaves idle connections alone, closed ones, and those of a runtime that doesn't say what was taken", () => {
    const unread = new UnreadAnswers<object>(TIMEOUT_MS);
    const others = [connection(1_000, 0), { _handle: null }, { _handle: {} }];
    for (const now of [0, 1_000]) expect(unread.stalled(others, now)).toEqual([]);
  });
});
