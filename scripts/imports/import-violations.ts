import type { ImportGraph } from "./import-graph.ts";

/**
 * Which zones each zone may import. A zone is a folder or a file; a file belongs to the longest zone that its path lies in.
 * Imports within a zone are free. An entry that ends in `/**` stands for every zone below a folder.
 */
export type AllowedImports = Readonly<Record<string, readonly string[]>>;

/** What differs between the imports and the table. */
export interface ImportReport {
  /** `importing file -> imported file`, each against the table. */
  readonly violations: readonly string[];
  /** Files that lie in no zone. */
  readonly unplaced: readonly string[];
  /** `zone -> zone`, allowed by the table and used by no file. */
  readonly unused: readonly string[];
}

/** Holds every import against the table of allowed ones. */
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

/** Helpers of tests are left out of the image, so that nothing else may import them. */
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
