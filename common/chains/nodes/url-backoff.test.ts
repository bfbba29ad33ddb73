import { describe, expect, it } from "vitest";
import { type CountedFailure, UrlBackoff } from "./url-backoff.ts";

const FAILED: CountedFailure = { message: "failed", isOfUrl: false };
const LIMITED: CountedFailure = { message: "limited", isOfUrl: false, refusal: "for now" };
const MISSING: CountedFailure = { message: "no such method", isOfUrl: false, refusal: "for good" };

/** Refuses a method as often as it may be asked, while another one is answered. @returns the time of the last refusal */
function refuse(backoff: UrlBackoff, failure: CountedFailure, times: number, answers = true): number {
  let now = 0;
  for (let count = 1; count <= times; count += 1) {
    now += backoff.blockedForMs("logs", now);
    if (answers) backoff.succeeded("call", now);
    backoff.failed("logs", failure, now);
  }
  return now;
}

describe("the failures of a URL", () => {
  it("count for their method, until another one fails too", () => {
    const backoff = new UrlBackoff();
    backoff.failed("logs", LIMITED, 0);
    expect([backoff.blockedForMs("logs", 0), backoff.blockedForMs("call", 0)]).toEqual([1000, 0]);
    expect([backoff.isBackingOff("logs", 0), backoff.isBackingOff("call", 0)]).toEqual([true, false]);
    backoff.failed("call", LIMITED, 0);
    expect(backoff.blockedForMs("head", 0)).toBe(1000);
    expect(backoff.isBackingOff("head", 0)).toBe(true);
    backoff.succeeded("call", 2000);
    expect(backoff.isBackingOff("call", 2000)).toBe(false);
  });

  it("count for the whole URL where they are of it", () => {
    const backoff = new UrlBackoff();
    backoff.failed("logs", { ...FAILED, isOfUrl: true, retryAfterMs: 3000 }, 0);
    expect(backoff.blockedForMs("call", 1000)).toBe(2000);
    expect(backoff.isBackingOff("call", 0)).toBe(true);
  });

  it("count once for requests that were sent at a time", () => {
    const backoff = new UrlBackoff();
    backoff.succeeded("call", 0);
    for (let count = 0; count < 20; count += 1) backoff.failed("logs", LIMITED, 0);
    backoff.succeeded("call", 1);
    expect(backoff.refusedMethods()).toEqual([]);
    expect(backoff.blockedForMs("logs", 0)).toBe(1000);
  });

  it.each<[string, CountedFailure]>([
    ["for now", LIMITED],
    ["for good", MISSING],
  ])(
    "show that a method isn't offered, once it is refused %s again and again while another one is answered",
    (_, refusal) => {
      const backoff = new UrlBackoff();
      refuse(backoff, refusal, 4);
      expect(backoff.refusedMethods()).toEqual([]);
      const now = refuse(backoff, refusal, 1);
      expect(backoff.refusedMethods()).toEqual([{ method: "logs", problem: refusal.message }]);
      expect(backoff.blockedForMs("logs", now)).toBeGreaterThan(2000);
      expect(backoff.blockedForMs("call", now)).toBe(0);
      backoff.failed("call", FAILED, now);
      expect(backoff.isBackingOff("head", now)).toBe(false);
    },
  );

  it("lead to a longer wait each time, of ten minutes at most, and end with an answer", () => {
    const backoff = new UrlBackoff();
    const now = refuse(backoff, LIMITED, 30);
    expect(backoff.blockedForMs("logs", now)).toBeGreaterThanOrEqual(300_000);
    expect(backoff.blockedForMs("logs", now)).toBeLessThanOrEqual(600_000);
    backoff.succeeded("logs", now + 600_000);
    expect(backoff.refusedMethods()).toEqual([]);
    expect(backoff.blockedForMs("logs", now + 600_000)).toBe(0);
  });

  it("show nothing of a method where nothing else is answered", () => {
    const backoff = new UrlBackoff();
    const now = refuse(backoff, LIMITED, 10, false);
    expect(backoff.refusedMethods()).toEqual([]);
    expect(backoff.blockedForMs("logs", now)).toBe(30_000);
  });

  it("block no URL that refuses everything for good, so that it is seen at once when somebody has mended it", () => {
    const backoff = new UrlBackoff();
    refuse(backoff, MISSING, 10, false);
    for (let count = 0; count < 10; count += 1) backoff.failed("call", { ...MISSING, isOfUrl: true }, 0);
    expect([backoff.blockedForMs("logs", 0), backoff.blockedForMs("call", 0)]).toEqual([0, 0]);
    expect(backoff.isBackingOff("call", 0)).toBe(true);
  });
});
