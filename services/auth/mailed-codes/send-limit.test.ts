import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CODE_MAILS_A_DAY, CODE_MAILS_AN_HOUR } from "../base/lifetimes.ts";
import { chooseAllowance, HOUR_MS, hourOf, secondsUntilNextSend } from "./send-limit.ts";

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
        const fits = total <= CODE_MAILS_A_DAY && (withThis.at(-1)?.sends ?? 0) <= CODE_MAILS_AN_HOUR;
        const seconds = secondsUntilNextSend(withThis, NOW);
        expect(seconds === undefined).toBe(fits);
        if (seconds === undefined) return;
        const laterMs = NOW + BigInt(seconds) * 1000n;
        const still = withThis
          .map((count) => (count.hour === HOUR ? { ...count, sends: count.sends - 1 } : count))
          .filter(({ hour }) => hour > hourOf(laterMs) - 24n);
        const later = hourOf(laterMs) === HOUR ? 0 : 1;
        expect(still.reduce((sum, { sends: count }) => sum + count, 0) + later).toBeLessThanOrEqual(CODE_MAILS_A_DAY);
      }),
    );
  });
});

describe("chooseAllowance", () => {
  const full = day([0, CODE_MAILS_AN_HOUR]);
  const choose = (...allowances: { isAllowed: boolean; sends: ReturnType<typeof day> }[]) => {
    const decision = chooseAllowance(allowances, NOW);
    return decision.counted === undefined ? decision : allowances.indexOf(decision.counted);
  };

  it("takes the first that is allowed and has room", () => {
    expect(choose({ isAllowed: true, sends: [] }, { isAllowed: true, sends: [] })).toBe(0);
    expect(choose({ isAllowed: false, sends: [] }, { isAllowed: true, sends: [] })).toBe(1);
    expect(choose({ isAllowed: true, sends: full }, { isAllowed: true, sends: day([0, 4]) })).toBe(1);
  });

  it("names the time at which the first of them has room again", () => {
    const overDay = day([20, 5], [15, 5], [10, 5], [5, 5]);
    expect(choose({ isAllowed: true, sends: overDay }, { isAllowed: true, sends: full })).toEqual({
      retryAfterSeconds: 45 * 60,
    });
    expect(choose({ isAllowed: false, sends: [] }, { isAllowed: true, sends: overDay })).toEqual({
      retryAfterSeconds: 3 * 3600 + 45 * 60,
    });
  });

  it("gives three times the limits in all, whatever the order of requests", () => {
    const allowances = [0, 1, 2].map(() => ({ isAllowed: true, sends: day() }));
    let sent = 0;
    for (;;) {
      const chosen = choose(...allowances);
      const allowance = typeof chosen === "number" ? allowances[chosen] : undefined;
      if (allowance === undefined) break;
      allowance.sends = day([0, (allowance.sends[0]?.sends ?? 0) + 1]);
      sent += 1;
    }
    expect(sent).toBe(3 * CODE_MAILS_AN_HOUR);
  });
});
