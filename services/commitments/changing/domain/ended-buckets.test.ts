import { expect, it } from "vitest";
import { EndedBuckets } from "./ended-buckets.ts";

const NOW = 1_800_000_000n;
const HOUR = 3_600n;

it("end with the latest commitment in each, and have no other", () => {
  const buckets = new EndedBuckets(NOW);
  expect(buckets.endingWith(NOW - 90n)).toEqual([
    { resolution: 1n, bucket: NOW - 90n },
    { resolution: 60n, bucket: NOW - 120n },
    { resolution: HOUR, bucket: NOW - HOUR },
  ]);
  expect(buckets.endingWith(NOW - 90n)).toEqual([]);
  expect(buckets.endingWith(NOW - 100n)).toEqual([{ resolution: 1n, bucket: NOW - 100n }]);
});

it("are over", () => {
  expect(new EndedBuckets(NOW + 30n).endingWith(NOW + 10n)).toEqual([{ resolution: 1n, bucket: NOW + 10n }]);
  expect(new EndedBuckets(NOW).endingWith(NOW)).toEqual([]);
});

it("are as fine as a history of their time", () => {
  const buckets = new EndedBuckets(NOW);
  expect(buckets.endingWith(NOW - 2n * HOUR).map(({ resolution }) => resolution)).toEqual([60n, HOUR]);
  expect(buckets.endingWith(NOW - 20n * HOUR).map(({ resolution }) => resolution)).toEqual([HOUR]);
});
