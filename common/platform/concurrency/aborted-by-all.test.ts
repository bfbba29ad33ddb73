import { describe, expect, it } from "vitest";
import { abortedByAll } from "./aborted-by-all.ts";

describe("abortedByAll", () => {
  it("is aborted once the last signal is", () => {
    const [first, second] = [new AbortController(), new AbortController()];
    using all = abortedByAll([first.signal, second.signal, first.signal]);
    first.abort();
    expect(all.signal.aborted).toBe(false);
    second.abort();
    expect(all.signal.aborted).toBe(true);
  });

  it("is aborted where others listen to a signal once", () => {
    const leaving = new AbortController();
    let heard = 0;
    leaving.signal.addEventListener("abort", () => (heard += 1), { once: true });
    using all = abortedByAll([leaving.signal]);
    leaving.abort();
    expect([heard, all.signal.aborted]).toEqual([1, true]);
  });

  it("is aborted at once if all of them are", () => {
    using all = abortedByAll([AbortSignal.abort(), AbortSignal.abort()]);
    expect(all.signal.aborted).toBe(true);
  });

  it("isn't aborted by those that were, nor after its disposal", () => {
    const late = new AbortController();
    const all = abortedByAll([AbortSignal.abort(), late.signal]);
    all[Symbol.dispose]();
    late.abort();
    expect(all.signal.aborted).toBe(false);
  });
});
