import { readFileSync } from "node:fs";

/** Modules of the custom element, each after those that it imports. */
const MODULES = ["numbers.js", "figures.js", "feed.js", "pace.js", "tidemark-sale.js"];

const IMPORT = /^import .*;\n/gm;
const EXPORT = /^export /gm;
const BLOCK_COMMENT = /^ *\/\*\*[\s\S]*?\*\/\n/gm;
const LINE_COMMENT = /^ *\/\/.*\n/gm;
const INDENT = /^ +/gm;
const HEAD = "// <tidemark-sale>, Apache-2.0\n";

/**
 * Returns the custom element's modules as one, without comments, so that a page needs one request. Regular
 * expressions are enough for that: biome formats these modules, and no text in them looks like an import, an export
 * or a comment.
 */
export function saleScript(): string {
  const modules = MODULES.map((name) => {
    const source = readFileSync(new URL(`./browser/${name}`, import.meta.url), "utf8");
    return source.replace(IMPORT, "").replace(EXPORT, "").replace(BLOCK_COMMENT, "").replace(LINE_COMMENT, "");
  });
  return HEAD + modules.join("").replace(INDENT, "").replace(/\n+/g, "\n");
}
