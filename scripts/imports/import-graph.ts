import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** The files that each file of the repository imports, types included. Paths are relative to the repository's root. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Matches `import … from "./x.ts"`, `export … from "./x.ts"`, `import "./x.ts"` and `import("./x.ts")`, but no packages. */
const SPECIFIER = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** Reads the imports of every source file below the named folders of the repository. */
export function readImportGraph(root: string, folders: readonly string[]): ImportGraph {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,js}`);
  const files = globSync(patterns, { cwd: root }).toSorted();
  return new Map(files.map((file) => [file, importedFiles(file, readFileSync(join(root, file), "utf8"))]));
}

/** Returns the files that a source text imports by a relative path. */
export function importedFiles(file: string, source: string): string[] {
  const imported = Array.from(source.matchAll(SPECIFIER), ([, path = ""]) => posix.join(posix.dirname(file), path));
  return [...new Set(imported)];
}
