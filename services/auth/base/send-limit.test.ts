import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOUR_MS, hourOf, SENDS_A_DAY, SENDS_AN_HOUR, secondsUntilNextSend } from "./send-limit.ts";

const HOUR = 500_000n;
/** A quarter past the hour. */
const NOW = HOUR * HOUR_MS + HOUR_MS / 4n;

const day = (...sends: (readonly [hoursAgo: number, sends: number])[]) =>
  sends.map(([hoursAgo, count]) => ({ hour: HOUR - BigInt(hoursAgo), sends: count }));

describe("secondsUntilNextSend", () => {
  it("lets 5 through in an hour, and the sixth when the next hour begins", () => {
    expect(secondsUntilNextSend(day([0, 5]), NOW)).toBeUndefined();
    expect(secondsUntilNextSend(day([0, 6]), NOW)).toBe(45 * 60);
  });

  it("doesn't count an hour that is over", () => {
    expect(secondsUntilNextSend(day([1, 5], [0, 5]), NOW)).toBeUndefined();
  });

  it("lets 20 through in 24 hours, and the next when the oldest of them have gone", () => {
    expect(secondsUntilNextSend(day([20, 5], [15, 5], [10, 5], [0, 5]), NOW)).toBeUndefined();
    expect(secondsUntilNextSend(day([20, 5], [15, 5], [10, 5], [5, 5], [0, 1]), NOW)).toBe(3 * 3600 + 45 * 60);
    expect(secondsUntilNextSend(day([20, 1], [15, 5], [10, 5], [5, 5], [0, 5]), NOW)).toBe(3 * 3600 + 45 * 60);
  });

  it("is never too strict, and names the right time for the next send", () => {
    const counts = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 5 })), {
      selector: ([hoursAgo]) => hoursAgo,
    });
    fc.assert(
      fc.property(counts, (sends) => {
        const withThis = day(...sends.filter(([ago]) => ago > 0), [
          0,
          (sends.find(([ago]) => ago === 0)?.[1] ?? 0) + 1,
        ]);
        const total = withThis.reduce((sum, { sends: count }) => sum + count, 0);
        const fits = total <= SENDS_A_DAY && (withThis.at(-1)?.sends ?? 0) <= SENDS_AN_HOUR;
        const seconds = secondsUntilNextSend(withThis, NOW);
        expect(seconds === undefined).toBe(fits);
        if (seconds === undefined) return;
        const laterMs = NOW + BigInt(seconds) * 1000n;
        const still = withThis
          .map((count) => (count.hour === HOUR ? { ...count, sends: count.sends - 1 } : count))
          .filter(({ hour }) => hour > hourOf(laterMs) - 24n);
        const later = hourOf(laterMs) === HOUR ? 0 : 1;
        expect(still.reduce((sum, { sends: count }) => sum + count, 0) + later).toBeLessThanOrEqual(SENDS_A_DAY);
      }),
    );
  });
});
