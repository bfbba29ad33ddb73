import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT, readRepository } from "../test/support/repository/repository.ts";
import { importedFiles } from "./imports/import-graph.ts";

/** Matches an import of vitest itself or of one of its parts, by which a file works only under the test runner. */
const TEST_RUNNER = /\b(?:from|import)\s*\(?\s*"(?:vitest|@vitest)(?:\/[^"]*)?"/;

/** Matches imports and exports of types only, which Node strips. */
const TYPES_ONLY = /\b(?:import|export) type [^;]*?from "[^"]+";/g;

/** Programs that run without a test runner: every benchmark, every script, and every file that a command of package.json starts. */
function programs(): string[] {
  const commands: Record<string, string> = JSON.parse(readRepository("package.json")).scripts;
  const started = Object.values(commands).flatMap((command) => command.match(/\S+\.m?ts/g) ?? []);
  const files = globSync(["scripts/**/*.ts", "test/bench/**/*.ts"], { cwd: REPOSITORY_ROOT });
  return [...new Set([...started, ...files.filter((file) => !file.endsWith(".test.ts"))])];
}

/** Returns the files reached by imports from the given ones that need the test runner, each with the file that imports it. */
function findRunner(from: readonly string[], sourceOf: (file: string) => string): string[] {
  const importers = new Map(from.map((file) => [file, "nothing"]));
  const found: string[] = [];
  // The loop also visits what is added meanwhile.
  for (const [file, importer] of importers) {
    const source = sourceOf(file).replaceAll(TYPES_ONLY, "");
    if (TEST_RUNNER.test(source)) found.push(`${file}, imported by ${importer}`);
    for (const next of importedFiles(file, source)) if (!importers.has(next)) importers.set(next, file);
  }
  return found;
}

/** The text of a source file; empty for a path that only a text names, such as an example. */
function sourceOf(file: string): string {
  const path = join(REPOSITORY_ROOT, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

it("lets no benchmark, script or command import something that needs the test runner", () => {
  expect(programs()).toEqual(expect.arrayContaining(["services/embedded.ts", "test/bench/main.ts", "scripts/test.ts"]));
  expect(findRunner(programs(), sourceOf)).toEqual([]);
});

it("finds a helper that needs it behind other imports, but not behind types", () => {
  const sources: Record<string, string> = {
    "bench.ts": 'import { open } from "./visitor.ts"; import type { Fixture } from "./fixture.ts";',
    "visitor.ts": 'export { nextMail } from "./mails.ts"; import "./bench.ts";',
    "mails.ts": 'import { expect } from "vitest";',
    "fixture.ts": 'import { describe } from "vitest";',
  };
  expect(findRunner(["bench.ts"], (file) => sources[file] ?? "")).toEqual(["mails.ts, imported by visitor.ts"]);
});

it.each(['import { expect } from "vitest";', 'import "vitest/config";', 'const { it } = await import("vitest");'])(
  "recognises %s",
  (source) => {
    expect(source).toMatch(TEST_RUNNER);
  },
);
