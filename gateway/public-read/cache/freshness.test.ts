import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  advanced,
  ageSeconds,
  confirmed,
  type Freshness,
  failed,
  failedLately,
  firstLoaded,
  isTrusted,
  isWithinAge,
  loadWaitMs,
  mayLoadAgain,
  reloaded,
  reloadIsDue,
  reloadRequested,
} from "./freshness.ts";

const loaded = firstLoaded(900, 1_000);
const fromEvents = advanced(loaded, 2_000, () => 0.5);

describe("Freshness", () => {
  it("counts the age from when the body was asked for", () => {
    expect([isWithinAge(loaded, 1_900, 1_000), isWithinAge(loaded, 1_901, 1_000)]).toEqual([true, false]);
    expect([ageSeconds(loaded, 1_900, 1_000), ageSeconds(loaded, 2_900, 1_000)]).toEqual([undefined, 2]);
  });

  it("trusts a loaded body for good, and one built from events for a minute from the first event", () => {
    expect(isTrusted(loaded, Infinity)).toBe(true);
    const later = advanced(fromEvents, 60_000, () => 0.9);
    expect([isTrusted(later, 62_000), isTrusted(later, 62_001)]).toEqual([true, false]);
    expect(isTrusted(reloaded(later, 62_000, 62_100), Infinity)).toBe(true);
  });

  it("asks for a full load of what was built from events, and not again at once", () => {
    expect(reloadIsDue(loaded, Infinity)).toBe(false);
    expect([reloadIsDue(fromEvents, 42_000), reloadIsDue(fromEvents, 42_001)]).toEqual([false, true]);
    const asked = reloadRequested(fromEvents, 43_000);
    expect([reloadIsDue(asked, 48_000), reloadIsDue(asked, 48_001)]).toEqual([false, true]);
    expect(reloadRequested(loaded, 43_000)).toBe(loaded);
  });

  it("keeps a failure until the body is confirmed", () => {
    const away = failed(loaded, 5_000);
    expect([failedLately(away, 5_999, 1_000), failedLately(away, 6_000, 1_000)]).toEqual([true, false]);
    expect(failedLately(confirmed(away, 5_500), 5_600, 1_000)).toBe(false);
  });

  it("lets a sale be loaded again after the shortest interval", () => {
    expect([mayLoadAgain(loaded, 999), mayLoadAgain(loaded, 1_000)]).toEqual([false, true]);
    expect(mayLoadAgain(failed(loaded, 1_000), 1_050)).toBe(false);
    expect([0, 900, 950, 1_000, 5_000].map((now) => loadWaitMs(loaded, now))).toEqual([100, 100, 50, 0, 0]);
  });

  it("is never fresher than its last confirmation, whatever happens in whatever order", () => {
    const steps = {
      advanced: (freshness: Freshness, now: number) => advanced(freshness, now, () => 0),
      failed,
      reloadRequested,
      confirmed: (freshness: Freshness, now: number) => confirmed(freshness, now - 10),
      reloaded: (freshness: Freshness, now: number) => reloaded(freshness, now - 10, now),
    };
    const names = fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[]));
    const step = fc.record({ name: names, passed: fc.nat(30_000) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (taken) => {
        let [freshness, now, lastConfirmed] = [firstLoaded(0, 0), 0, 0];
        for (const { name, passed } of taken) {
          now += passed;
          const isConfirmation = name === "confirmed" || name === "reloaded";
          if (isConfirmation) lastConfirmed = Math.max(lastConfirmed, now - 10);
          freshness = steps[name](freshness, now);
          expect(freshness.confirmedAt).toBe(lastConfirmed);
          expect(freshness.confirmedAt).toBeLessThanOrEqual(now);
          expect(freshness.failedAt === undefined || !isConfirmation).toBe(true);
        }
      }),
    );
  });
});
