import { readFileSync } from "node:fs";

const BLOCK_COMMENT = /^ *\/\*\*[\s\S]*?\*\/\n/gm;
const LINE_COMMENT = /^ *\/\/.*\n/gm;
/** Casts. Biome keeps the brackets around its value, so nothing else changes. */
const CAST = /\/\*\* @type \{.*?\} \*\/ /g;
const INDENT = /^ +/gm;
const EMPTY_LINES = /\n{2,}/g;
/** Ends of lines that no statement needs. Imports and exports keep lines of their own, by which the custom element's script finds them. */
const NEEDLESS_ENDS = /(?<=[[{(,])\n|\n(?=[\]})])|(?<=^(?!import ).*;)\n(?!import |export )/gm;
/** Spaces that no code needs, none of them in a text: a test compares what is left with the source. */
const NEEDLESS_SPACES =
  / (?=(?:=>|[!=]==|&&|\|\||\?\?|[<>]=|=) )|(?<= (?:=>|[!=]==|&&|\|\||\?\?|[<>]=|=)) |(?<=\b(?:if|for|while)) (?=\()|(?<=\)) (?=\{)/gm;
/** The folder of modules that other pages load, too. A page loads them from the same folder as its own. */
const SHARED = "../../web/browser/";

/**
 * Returns the source of a browser module without comments, indents and the ends of many lines, which are half of it. Regular
 * expressions are enough for that: biome formats these modules, and no text in them looks like a comment or begins within a line.
 *
 * @param name of a file in `browser`
 */
export function browserModule(name: string): string {
  return sourceOf(`./browser/${name}`).replaceAll(`from "${SHARED}`, 'from "./');
}

/** Returns the source of a module that other pages load, too. @param name of a file in `gateway/web/browser` */
export function sharedModule(name: string): string {
  return sourceOf(`./browser/${SHARED}${name}`);
}

function sourceOf(path: string): string {
  const source = readFileSync(new URL(path, import.meta.url), "utf8");
  const code = source.replace(BLOCK_COMMENT, "").replace(LINE_COMMENT, "").replace(CAST, "");
  return code.replace(INDENT, "").replace(EMPTY_LINES, "\n").replace(NEEDLESS_ENDS, "").replace(NEEDLESS_SPACES, "");
}
