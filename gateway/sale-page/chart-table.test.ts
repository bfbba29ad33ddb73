import { expect, it } from "vitest";
import { evenly } from "./browser/chart-table.js";

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

it.each([0, 1, 59, 60])("a table has all of %i rows", (count) => {
  expect(evenly(upTo(count))).toStrictEqual(upTo(count));
});

it.each([61, 119, 300])("a table has 60 of %i rows: the first, the last, and others at even distances", (count) => {
  const rows = evenly(upTo(count));
  expect([rows.length, rows[0], rows.at(-1)]).toStrictEqual([60, 0, count - 1]);
  const distances = rows.slice(1).map((row, index) => row - (rows[index] ?? 0));
  expect(Math.max(...distances) - Math.min(...distances)).toBeLessThanOrEqual(1);
});
