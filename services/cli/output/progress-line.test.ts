import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { progressLine } from "./progress-line.ts";
import { RowRate } from "./row-rate.ts";

describe("progressLine", () => {
  it.each([
    [5_000n, 10_000n, 1_000n, "[##########----------]  50%  5,000 of 10,000 rows, 1,000 rows/s, 5 s left"],
    [0n, 0n, undefined, "[--------------------]   0%  0 of 0 rows"],
    [9_999n, 10_000n, 7n, "[###################-]  99%  9,999 of 10,000 rows, 7 rows/s, 1 s left"],
    [10n, 10n, 0n, "[####################] 100%  10 of 10 rows"],
    [0n, 725n, 1n, "[--------------------]   0%  0 of 725 rows, 1 rows/s, 12 min 5 s left"],
    [0n, 12_000n, 1n, "[--------------------]   0%  0 of 12,000 rows, 1 rows/s, 3 h 20 min left"],
  ])("shows %s of %s at %s a second", (rowsDone, rowsTotal, rowsPerSecond, line) => {
    expect(progressLine({ rowsDone, rowsTotal, rowsPerSecond })).toBe(line);
  });

  it("has a bar of 20 for any counts, even if the contract has shrunk", () => {
    const rows = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(rows, rows, rows, (rowsDone, rowsTotal, rowsPerSecond) => {
        expect(progressLine({ rowsDone, rowsTotal, rowsPerSecond })).toMatch(/^\[(?=[#-]{20}\])#*-*\] [ \d]{3}%/);
      }),
    );
  });
});

describe("RowRate", () => {
  const rateOf = (samples: [rows: bigint, atMillis: number][]) => {
    const rate = new RowRate();
    for (const [rows, atMillis] of samples) rate.add(rows, atMillis);
    return rate.rowsPerSecond();
  };

  it("is unknown after one sample, and before anything was read", () => {
    expect([
      rateOf([]),
      rateOf([[5n, 0]]),
      rateOf([
        [5n, 0],
        [5n, 1_000],
      ]),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it("is the rows a second", () => {
    expect(
      rateOf([
        [100n, 1_000],
        [600n, 1_500],
      ]),
    ).toBe(1_000n);
  });

  it("forgets what is more than 10 seconds old", () => {
    expect(
      rateOf([
        [0n, 0],
        [1_000n, 1_000],
        [1_100n, 11_000],
      ]),
    ).toBe(10n);
  });

  it("starts again with another sweep", () => {
    expect(
      rateOf([
        [900n, 0],
        [0n, 1_000],
        [50n, 2_000],
      ]),
    ).toBe(50n);
  });
});
