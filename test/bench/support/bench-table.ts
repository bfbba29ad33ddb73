/** The results of one benchmark. */
export interface BenchTable {
  readonly title: string;
  readonly columns: readonly string[];
  /** Rows with one cell for each column. */
  readonly rows: readonly (readonly string[])[];
  /** Explanations of the method and of the columns. */
  readonly notes: readonly string[];
  readonly required: readonly RequiredFigure[];
  /** Wrong results, one sentence each, which fail a benchmark whatever its figures are. */
  readonly faults?: readonly string[];
}

/** A figure that a benchmark must reach, with one of the two bounds. The median of several runs is judged (`required.ts`). */
export interface RequiredFigure {
  readonly name: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Formats the table as text: the first column left-aligned, the others, which are numbers, right-aligned. */
export function formatTable({ title, columns, rows, notes, faults = [] }: BenchTable): string {
  const widths = columns.map((column, index) => Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)));
  const body = [columns, widths.map((width) => "-".repeat(width)), ...rows].map((row) => line(row).join("  "));
  return [title, ...body, ...notes, ...faults.map((fault) => `WRONG: ${fault}`), ""].join("\n");
}

/** Returns the median. @throws RangeError without values */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError("median of no values");
  return (lower + upper) / 2;
}
