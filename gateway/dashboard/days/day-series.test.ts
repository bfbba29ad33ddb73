import { describe, expect, it } from "vitest";
import { DAY_MS, DAYS, endsOfDays, risesOfDays, shownDays, sumsByDay } from "./day-series.ts";

const NOW = Date.UTC(2027, 0, 31, 15, 30);
const at = (daysAgo: number, value: bigint, hour = 12) => ({
  ms: Date.UTC(2027, 0, 31, hour) - daysAgo * DAY_MS,
  value,
});

describe("the days", () => {
  it("are thirty, the last one today in UTC", () => {
    const days = shownDays(NOW);
    expect(days).toHaveLength(DAYS);
    expect(days.map((ms) => new Date(ms).toISOString())).toMatchObject({
      0: "2027-01-02T00:00:00.000Z",
      29: "2027-01-31T00:00:00.000Z",
    });
  });

  it("have sums, each of its own day, to the last millisecond", () => {
    const values = [
      at(30, 9n),
      at(1, 2n, 0),
      at(1, 3n, 23),
      { ms: Date.UTC(2027, 0, 31) - 1, value: 5n },
      at(0, 7n, 0),
    ];
    expect(sumsByDay(values, NOW).slice(-3)).toEqual([0n, 10n, 7n]);
    expect(
      sumsByDay(values, NOW)
        .slice(0, 27)
        .every((sum) => sum === 0n),
    ).toBe(true);
  });

  it("keep the last value until the next, also one from before the first day", () => {
    const values = [at(40, 4n), at(2, 6n, 1), at(2, 8n, 20), at(0, 5n)];
    expect(endsOfDays(values, NOW)).toEqual([...Array.from({ length: 27 }, () => 4n), 8n, 8n, 5n]);
    expect(endsOfDays([at(1, 3n)], NOW).slice(-3)).toEqual([0n, 3n, 3n]);
  });

  it("have rises, and none where a value falls", () => {
    const values = [at(40, 4n), at(2, 6n, 1), at(2, 8n, 20), at(0, 5n)];
    expect(risesOfDays(values, NOW).slice(-3)).toEqual([4n, 0n, 0n]);
  });
});
