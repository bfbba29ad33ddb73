import { readFileSync } from "node:fs";

const BLOCK_COMMENT = /^ *\/\*\*[\s\S]*?\*\/\n/gm;
const LINE_COMMENT = /^ *\/\/.*\n/gm;

/**
 * Returns the source of a browser module without comments, which are a third of it. Regular expressions are enough for
 * that: biome formats these modules, and no text in them looks like a comment.
 *
 * @param name of a file in `browser`
 */
export function browserModule(name: string): string {
  const source = readFileSync(new URL(`./browser/${name}`, import.meta.url), "utf8");
  return source.replace(BLOCK_COMMENT, "").replace(LINE_COMMENT, "");
}
