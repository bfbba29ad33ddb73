import { expect, it } from "vitest";
import { GIVE_UP_AFTER_MS } from "../base/domain/lifetimes.ts";
import { nextAttemptMillis } from "./retry-schedule.ts";

it("waits longer after each failure, with jitter, and gives up after a day", () => {
  const times: bigint[] = [0n];
  for (let attempts = 1; ; attempts += 1) {
    const next = nextAttemptMillis(times.at(-1) ?? 0n, attempts, GIVE_UP_AFTER_MS);
    if (next === undefined) break;
    times.push(next);
  }
  const waits = times.slice(1).map((time, index) => Number(time - (times[index] ?? 0n)));
  const longest = [5_000, 15_000, 45_000, 135_000, 405_000, 1_215_000, 3_645_000];
  longest.forEach((longestMs, index) => {
    expect(waits[index]).toBeGreaterThanOrEqual(longestMs / 2);
    expect(waits[index]).toBeLessThanOrEqual(longestMs);
  });
  for (const wait of waits.slice(longest.length)) {
    expect(wait).toBeGreaterThanOrEqual(5_400_000);
    expect(wait).toBeLessThanOrEqual(10_800_000);
  }
  // Seven waits of 91 minutes at most, and then others of 90 to 180 minutes.
  expect(times.length).toBeGreaterThanOrEqual(14);
  expect(times.length).toBeLessThanOrEqual(24);
  expect(times.at(-1)).toBeLessThan(GIVE_UP_AFTER_MS);
});
