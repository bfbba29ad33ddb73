import type { ImportGraph } from "./import-graph.ts";

/**
 * The zones that each zone may import. A zone is a folder or a file; a file belongs to the longest zone that contains it.
 * Imports within a zone are always allowed. An entry that ends in `/**` means a folder and every zone below it.
 */
export type AllowedImports = Readonly<Record<string, readonly string[]>>;

/** The differences between the imports and the table. */
export interface ImportReport {
  /** `importing file -> imported file`, each an import that the table doesn't allow. */
  readonly violations: readonly string[];
  /** Files that belong to no zone. */
  readonly unplaced: readonly string[];
  /** `zone -> zone`, each an entry of the table that no file uses. */
  readonly unused: readonly string[];
}

/** Compares every import with the table of allowed imports. */
export function checkImports(graph: ImportGraph, allowed: AllowedImports): ImportReport {
  const used = new Set<string>();
  const violations: string[] = [];
  const unplaced = new Set<string>();
  for (const [file, imports] of graph) {
    const from = zoneOf(file, allowed);
    if (from === undefined) unplaced.add(file);
    for (const imported of imports) {
      const to = zoneOf(imported, allowed);
      if (to === undefined) unplaced.add(imported);
      if (isTestHelper(imported)) violations.push(`${file} -> ${imported}`);
      if (from === undefined || to === undefined || from === to) continue;
      const entry = allowed[from]?.find((zone) => covers(zone, to));
      if (entry === undefined) violations.push(`${file} -> ${imported}`);
      else used.add(`${from} -> ${entry}`);
    }
  }
  const edges = Object.entries(allowed).flatMap(([from, entries]) => entries.map((to) => `${from} -> ${to}`));
  return { violations, unplaced: [...unplaced], unused: edges.filter((edge) => !used.has(edge)) };
}

/** Whether a file is a helper of tests. The image doesn't contain those, so only tests may import them. */
export function isTestHelper(file: string): boolean {
  return file.startsWith("test/") || file.includes("/testing/");
}

function zoneOf(file: string, allowed: AllowedImports): string | undefined {
  const zones = Object.keys(allowed).filter((zone) => file === zone || file.startsWith(`${zone}/`));
  return zones.toSorted((a, b) => b.length - a.length)[0];
}

function covers(entry: string, zone: string): boolean {
  if (!entry.endsWith("/**")) return entry === zone;
  const folder = entry.slice(0, -"/**".length);
  return zone === folder || zone.startsWith(`${folder}/`);
}
