import { expect, it } from "vitest";
import { PARTITIONS, partitionOf, shareOf, signalledPartition, signalPayload } from "./partitions.ts";

it("a sale's partition is the last digit of its UUID", () => {
  expect(partitionOf("11111111-1111-4111-8111-111111111110")).toBe(0);
  expect(partitionOf("11111111-1111-4111-8111-11111111111f")).toBe(15);
});

it.each([1, 2, 3, 5, 16, 20])("%i processes share all partitions evenly", (count) => {
  const members = Array.from({ length: count }, (_, index) => `process ${index}`).reverse();
  const shares = members.map((member) => shareOf(member, members));
  expect(shares.reduce((sum, share) => sum + share, 0)).toBe(PARTITIONS);
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
});

it("a signal names a partition, or none for all of them", () => {
  expect(signalledPartition(signalPayload(0))).toBe(0);
  expect(signalledPartition(signalPayload(15))).toBe(15);
  expect(signalledPartition(signalPayload(undefined))).toBeUndefined();
});
