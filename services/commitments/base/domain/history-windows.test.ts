import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { historyWindows } from "./history-windows.ts";

const NOW = 1_800_000_123n;
const times = fc.record({
  now: fc.bigInt({ min: 1_600_000_000n, max: 4_000_000_000n }),
  age: fc.bigInt({ min: 0n, max: 300_000_000n }),
  maxPoints: fc.integer({ min: 12, max: 1000 }),
});

describe("historyWindows", () => {
  it("shows seconds, minutes and hours, from fine to coarse as they grow old", () => {
    expect(historyWindows(NOW, NOW - 86_400n, 303)).toEqual([
      { resolution: 3600n, seconds: 3600n, from: 0n, to: 1_799_996_400n },
      { resolution: 60n, seconds: 60n, from: 1_799_996_400n, to: 1_800_000_060n },
      { resolution: 1n, seconds: 1n, from: 1_800_000_060n, to: NOW + 1n },
    ]);
  });

  it("takes so many hours at a time as the bound asks for", () => {
    const [hours] = historyWindows(NOW, NOW - 365n * 86_400n, 303);
    expect(hours?.seconds).toBe(88n * 3600n);
  });

  it("never has more periods than asked for, nor a gap or an overlap between them", () => {
    fc.assert(
      fc.property(times, ({ now, age, maxPoints }) => {
        const oldest = now - age - ((now - age) % 3600n);
        const windows = historyWindows(now, oldest, maxPoints);
        const periods = windows.map(({ from, to, seconds }) => {
          const first = from > oldest ? from : oldest;
          return to > first ? Number((to - 1n) / seconds - first / seconds) + 1 : 0;
        });
        expect(periods.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(maxPoints);
        expect(windows.slice(1).map(({ from }) => from)).toEqual(windows.slice(0, -1).map(({ to }) => to));
        for (const { resolution, from, seconds } of windows)
          expect([from % resolution, seconds % resolution]).toEqual([0n, 0n]);
      }),
    );
  });

  it("asks for no finer figures than are kept", () => {
    fc.assert(
      fc.property(times, ({ now, age, maxPoints }) => {
        const [, minutes, seconds] = historyWindows(now, now - age, maxPoints);
        expect(now - (seconds?.from ?? 0n)).toBeLessThanOrEqual(332n);
        expect(now - (minutes?.from ?? 0n)).toBeLessThanOrEqual(333n * 60n + 332n);
      }),
    );
  });
});
