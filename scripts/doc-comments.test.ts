import { globSync } from "node:fs";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT, readRepository } from "../test/support/repository/repository.ts";
import { danglingComments } from "./doc-comments.ts";

/** Sources that people write. */
const SOURCES = globSync("{client,common,gateway,scripts,services,test}/**/*.{ts,js,mjs}", {
  cwd: REPOSITORY_ROOT,
  exclude: (path) => path.includes("node_modules"),
});

it("every doc comment opens with a noun or a verb", () => {
  expect(SOURCES.length).toBeGreaterThan(1_000);
  const found = SOURCES.flatMap((path) =>
    danglingComments(readRepository(path)).map(({ line, text }) => `${path}:${line} ${text}`),
  );
  expect(found).toEqual([]);
});

it.each([
  ["Of", "/** Of a sale. */\nconst a = 1;\n", 1, "Of a sale."],
  ["As", "interface A {\n  /** As JSON. */\n  readonly json: string;\n}\n", 2, "As JSON."],
  ["What", "/** What a sale is. */\n", 1, "What a sale is."],
  ["That", "\n\n/** That nobody has asked for. */\n", 3, "That nobody has asked for."],
  ["Which", "/**\n * Which of them counts,\n * and why.\n */\n", 1, "Which of them counts,"],
  ["For so", "  /** For so long it is kept. */\n", 1, "For so long it is kept."],
])("finds a doc comment that begins with %s", (_, source, line, text) => {
  expect(danglingComments(source)).toEqual([{ line, text }]);
});

it("accepts nouns, verbs, other comments and other words", () => {
  const source = [
    "/** Assets of the page. */",
    "/** Offered tokens. */",
    "/** Whether it counts. */",
    "// What follows is for Deno.",
    "/**\n * Returns the sale.\n *\n * What it has is described elsewhere.\n */",
    'const text = "/* Of */";',
  ];
  expect(danglingComments(source.join("\n"))).toEqual([]);
});
