import { median } from "../../bench/support/bench-table.ts";

/** How the last third of a series compares with the middle one; the first is for warming up. */
export interface Flatness {
  readonly middle: number;
  readonly last: number;
  readonly isFlat: boolean;
}

/**
 * Flat: the median of the last third is at most `share` and `slack` above that of the middle one.
 *
 * @throws RangeError for less than three values
 */
export function flatness(values: readonly number[], share: number, slack: number): Flatness {
  const third = Math.floor(values.length / 3);
  const last = median(values.slice(values.length - third));
  const middle = median(values.slice(values.length - 2 * third, values.length - third));
  return { middle, last, isFlat: last <= middle * (1 + share) + slack };
}
