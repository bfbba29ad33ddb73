/** What one benchmark measured. */
export interface BenchTable {
  readonly title: string;
  readonly columns: readonly string[];
  /** As many cells each as there are columns. */
  readonly rows: readonly (readonly string[])[];
  /** How it was measured, and what reads as what. */
  readonly notes: readonly string[];
  /** What was demanded and missed, a sentence each; empty where all is well. */
  readonly misses: readonly string[];
}

/** The table as aligned text: the first column to the left, the others, numbers, to the right. */
export function formatTable({ title, columns, rows, notes, misses }: BenchTable): string {
  const widths = columns.map((column, index) => Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)));
  const body = [columns, widths.map((width) => "-".repeat(width)), ...rows].map((row) => line(row).join("  "));
  return [title, ...body, ...notes, ...misses.map((miss) => `MISSED: ${miss}`), ""].join("\n");
}

/** @throws RangeError for no values */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError("median of no values");
  return (lower + upper) / 2;
}
