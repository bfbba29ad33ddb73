import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/**
 * The files and packages that each file of the repository imports, types included. Paths are relative to the repository's root; packages
 * have their names.
 */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Matches `import … from "./x.ts"`, `export … from "./x.ts"`, `import "./x.ts"`, `import("./x.ts")` and `import("./x.js").X`. */
const SPECIFIER = /\b(?:from|import)\s*\(?\s*"([^"\s]+)"/g;

/** Matches the import of a proto's file with the names that are taken from it. */
const PROTO_NAMES = /\bimport (?:type )?\{([^}]*)\} from "([^"]+_pb\.ts)"/g;

/** Matches the begin of a query in Kysely's words, and a template of SQL. */
const QUERY = /\.(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom)\(|\bsql(?:<[^>]*>)?`/;

/** The name by which a file that builds SQL imports it. */
export const SQL = "SQL";

/** Reads the imports of every source file below the named folders of the repository. Tests and their helpers are no sources. */
export function readImportGraph(root: string, folders: readonly string[]): ImportGraph {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,js}`);
  const files = globSync(patterns, { cwd: root }).filter(isSource).toSorted();
  return new Map(files.map((file) => [file, importedFiles(file, readFileSync(join(root, file), "utf8"))]));
}

function isSource(file: string): boolean {
  return !file.endsWith(".test.ts") && !file.includes("/testing/");
}

/**
 * Returns the files and packages that a source text imports. A service of a proto counts as an import of its own, `x_pb.ts#service`, and
 * so does SQL that the text builds.
 */
export function importedFiles(file: string, source: string): string[] {
  const resolve = (path: string) => (path.startsWith(".") ? posix.join(posix.dirname(file), path) : path);
  const imported = Array.from(source.matchAll(SPECIFIER), ([, path = ""]) => resolve(path));
  const services = Array.from(source.matchAll(PROTO_NAMES), ([, names = "", path = ""]) =>
    /\w+Service\b/.test(names) ? [`${resolve(path)}#service`] : [],
  );
  return [...new Set([...imported, ...services.flat(), ...(QUERY.test(source) ? [SQL] : [])])];
}

/** Returns the imports between folders. A file belongs to the folder that holds it, not to those above. */
export function folderGraph(graph: ImportGraph): ImportGraph {
  const folders = new Map<string, Set<string>>();
  for (const [file, imports] of graph) {
    const from = posix.dirname(file);
    const targets = folders.get(from) ?? new Set();
    for (const to of imports.filter((imported) => graph.has(imported)).map(posix.dirname)) {
      if (to !== from) targets.add(to);
    }
    folders.set(from, targets);
  }
  return new Map(Array.from(folders, ([from, targets]) => [from, [...targets]]));
}
