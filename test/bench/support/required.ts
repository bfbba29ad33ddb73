/** A bound on a figure, with the spread of the figure over five runs on a quiet machine (`npm run bench -- --runs 5`). */
export interface Requirement {
  readonly required: number;
  /** The highest of five runs minus the lowest. A miss by less is none; 0 where the figure hardly differs, or is far from its bound. */
  readonly spread: number;
}

/** A figure that a benchmark must reach, with one of the two bounds. */
export interface RequiredFigure {
  readonly name: string;
  readonly value: number;
  readonly atLeast?: Requirement;
  readonly atMost?: Requirement;
}

/** Returns a sentence for a figure that misses its bound by more than the spread, or nothing. A figure that isn't a number misses it. */
export function describeMisses({ name, value, atLeast, atMost }: RequiredFigure): string[] {
  const misses: string[] = [];
  if (atLeast !== undefined && !(value >= atLeast.required - atLeast.spread))
    misses.push(`${name}: ${format(value)} < ${describeBound(atLeast)}`);
  if (atMost !== undefined && !(value <= atMost.required + atMost.spread))
    misses.push(`${name}: ${format(value)} > ${describeBound(atMost)}`);
  return misses;
}

/** Formats a bound, and its spread if there is one. */
export function describeBound({ required, spread }: Requirement): string {
  return spread === 0 ? format(required) : `${format(required)} (spread ${format(spread)})`;
}

/** Describes how much each required figure differs between runs of one benchmark. */
export function describeSpreads(runs: readonly (readonly RequiredFigure[])[]): string[] {
  const [first = []] = runs;
  return first.map(({ name }, index) => {
    const values = runs.map((figures) => figures[index]?.value ?? Number.NaN);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return `${name}: ${format(least)} to ${format(most)} in ${runs.length} runs, spread ${format(most - least)}`;
  });
}

function format(value: number): string {
  return String(Number(value.toFixed(3)));
}
