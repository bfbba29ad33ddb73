import { expect, it } from "vitest";
import { type TrendBuckets, trendBase, trendStart } from "./trend.ts";

/** 2026-11-25, 12:34:56 UTC, and full hours around it. */
const NOON = 1_795_608_000n;
const NOW = NOON + 34n * 60n + 56n;
const HOUR = 3600n;
const START = NOON - 24n * HOUR;

const base = (buckets: Partial<TrendBuckets<{ readonly bucket: bigint }>>) => {
  const found = trendBase({ before: undefined, firstHour: undefined, firstMinute: undefined, ...buckets }, NOW);
  return found && [found.point.bucket, found.atSeconds];
};

it("begins at the last full hour that is at least a day ago", () => {
  expect(trendStart(NOW)).toBe(START);
  expect(trendStart(NOON)).toBe(START);
  expect(trendStart(NOON - 1n)).toBe(START - HOUR);
});

it("begins with the figures that held then, however old they are", () => {
  const before = { bucket: START - 9_000n * HOUR };
  expect(base({ before, firstHour: { bucket: START }, firstMinute: { bucket: NOON } })).toEqual([before.bucket, START]);
});

it("begins with the first figures that are known of a younger sale, at the end of their period", () => {
  const firstHour = { bucket: NOON - 3n * HOUR };
  const minute = { bucket: firstHour.bucket + 120n };
  expect(base({ firstHour, firstMinute: minute })).toEqual([minute.bucket, minute.bucket + 60n]);
  expect(base({ firstHour })).toEqual([firstHour.bucket, firstHour.bucket + HOUR]);
  const later = { bucket: firstHour.bucket + HOUR };
  expect(base({ firstHour, firstMinute: later })).toEqual([firstHour.bucket, firstHour.bucket + HOUR]);
});

it("doesn't begin before anything is known, or in the first minute", () => {
  expect(base({})).toBeUndefined();
  const minute = { bucket: NOW - (NOW % 60n) };
  expect(base({ firstHour: { bucket: NOON }, firstMinute: minute })).toBeUndefined();
  expect(base({ firstHour: { bucket: NOON } })).toBeUndefined();
});
