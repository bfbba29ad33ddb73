import { globSync } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g;
const NPM_SCRIPT = /\bnpm (?:run ([\w:-]+)|(start|test)\b)/g;

const documents: string[] = globSync("{README.md,docs/**/*.md}", { cwd: ROOT });
const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));

it("includes a README", () => {
  expect(documents).toContain("README.md");
});

describe.each(documents)("%s", (document) => {
  it("links to files that exist", async () => {
    for (const target of matches(await readFile(join(ROOT, document), "utf8"), LINK)) {
      await expect(access(join(ROOT, dirname(document), target)), target).resolves.toBeUndefined();
    }
  });

  it("names npm scripts that exist", async () => {
    for (const name of matches(await readFile(join(ROOT, document), "utf8"), NPM_SCRIPT)) {
      expect(scripts).toHaveProperty([name]);
    }
  });
});

/** What the first group that took part matched, each time. */
function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? "");
}
