import { stripVTControlCharacters } from "node:util";

/** Formats rows as lines with aligned columns. Cells may have colours. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ""))),
  );
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)))
      .join("  ")
      .trimEnd();
  return rows.map(lineOf).join("\n");
}

function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
