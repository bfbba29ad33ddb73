import { describeMisses, type RequiredFigure } from "./required.ts";

/** The results of one benchmark. */
export interface BenchTable {
  readonly title: string;
  readonly columns: readonly string[];
  /** Rows with one cell for each column. */
  readonly rows: readonly (readonly string[])[];
  /** Explanations of the method and of the columns. */
  readonly notes: readonly string[];
  /** Figures that must be reached. */
  readonly required: readonly RequiredFigure[];
  /** Wrong results, one sentence each, which fail a benchmark whatever its figures are. */
  readonly faults?: readonly string[];
}

/** Whether missed figures count. */
export interface Judgement {
  readonly isJudged: boolean;
}

/** Returns a sentence for each wrong result and, if figures are judged, for each that was missed. */
export function describeFailures({ required, faults = [] }: BenchTable, { isJudged }: Judgement): string[] {
  return [...faults, ...(isJudged ? required.flatMap(describeMisses) : [])];
}

/** Formats the table as text: the first column left-aligned, the others, which are numbers, right-aligned. */
export function formatTable(table: BenchTable, judgement: Judgement): string {
  const { title, columns, rows, notes } = table;
  const widths = columns.map((column, index) => Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)));
  const body = [columns, widths.map((width) => "-".repeat(width)), ...rows].map((row) => line(row).join("  "));
  const failures = describeFailures(table, judgement).map((failure) => `MISSED: ${failure}`);
  return [title, ...body, ...notes, ...failures, ""].join("\n");
}

/** Returns the median. @throws RangeError without values */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError("median of no values");
  return (lower + upper) / 2;
}
