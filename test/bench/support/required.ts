import { median, type RequiredFigure } from "./bench-table.ts";

/**
 * Judges the required figures of one benchmark by their medians over its runs, which differ even on a quiet machine. Returns a line
 * for each with its median, its spread and its bound. A figure that isn't a number misses its bound.
 *
 * @param runs the figures of each run, which all have the same names
 */
export function judgeFigures(runs: readonly (readonly RequiredFigure[])[]): JudgedFigure[] {
  const [first = []] = runs;
  return first.map((figure, index) => {
    const values = runs.map((figures) => figures[index]?.value ?? Number.NaN);
    const value = values.some(Number.isNaN) ? Number.NaN : median(values);
    const isMissed = !reaches({ ...figure, value });
    const verdict = `${isMissed ? "MISSED" : "reached"}: ${figure.name}: ${format(value)}, ${boundOf(figure)}`;
    return { isMissed, line: `${verdict}; ${spreadOf(values)}` };
  });
}

/** A figure over all runs of a benchmark, as text. */
export interface JudgedFigure {
  readonly isMissed: boolean;
  readonly line: string;
}

function reaches({ value, atLeast = value, atMost = value }: RequiredFigure): boolean {
  return value >= atLeast && value <= atMost;
}

function boundOf({ atLeast, atMost }: RequiredFigure): string {
  return atLeast === undefined ? `at most ${format(atMost ?? Number.NaN)}` : `at least ${format(atLeast)}`;
}

function spreadOf(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `median of ${values.length}, from ${format(least)} to ${format(most)}, spread ${format(most - least)}`;
}

function format(value: number): string {
  return String(Number(value.toFixed(3)));
}
