import { expect, it } from "vitest";
import { labelStarts } from "./browser/marks.js";

const GAP = 5;
const PLOT = { left: 10, right: 200 };

it.each([
  [
    "in the half with more room",
    [
      [40, 60],
      [160, 60],
    ],
    [45, 95],
  ],
  [
    "where it crosses fewer lines",
    [
      [80, 60],
      [100, 60],
      [120, 60],
    ],
    [15, 105, 125],
  ],
  [
    "where it fits, whatever it crosses",
    [
      [20, 100],
      [50, 40],
    ],
    [25, 55],
  ],
  [
    "within the edges where it fits on neither side",
    [
      [120, 130],
      [90, 200],
    ],
    [0, 0],
  ],
] as const)("a label of a marked line is %s", (_, lines, starts) => {
  const labels = lines.map(([x, width]) => ({ x, width }));
  expect(labelStarts(labels, GAP, PLOT)).toEqual(starts);
});
