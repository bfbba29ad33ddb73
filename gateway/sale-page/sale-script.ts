import { browserModule } from "./browser-module.ts";

/** Modules of the custom element, each after those that it imports. */
const MODULES = [
  "numbers.js",
  "figures.js",
  "deadline.js",
  "liveness.js",
  "client.js",
  "feed.js",
  "pace.js",
  "tidemark-sale.js",
];

const IMPORT = /^import .*;\n/gm;
const EXPORT = /^export /gm;
const HEAD = "// <tidemark-sale>, Apache-2.0\n";

/**
 * Returns the custom element's modules as one, so that a page needs one request. Biome formats these modules, and no text
 * in them looks like an import or an export.
 */
export function saleScript(): string {
  const modules = MODULES.map((name) => browserModule(name).replace(IMPORT, "").replace(EXPORT, ""));
  return HEAD + modules.join("");
}
