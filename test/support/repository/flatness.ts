import { median } from "../../bench/support/bench-table.ts";

/** A comparison of the last third of a series with the middle third. The first third is for warming up. */
export interface Flatness {
  readonly middle: number;
  readonly last: number;
  readonly isFlat: boolean;
}

/**
 * Compares the medians of the last and the middle third. The series is flat if the last one is greater by at most the factor
 * `share` and the absolute value `slack`.
 *
 * @throws RangeError for fewer than three values
 */
export function flatness(values: readonly number[], share: number, slack: number): Flatness {
  const third = Math.floor(values.length / 3);
  const last = median(values.slice(values.length - third));
  const middle = median(values.slice(values.length - 2 * third, values.length - third));
  return { middle, last, isFlat: last <= middle * (1 + share) + slack };
}
