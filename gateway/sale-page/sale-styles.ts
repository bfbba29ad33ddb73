import { readFileSync } from "node:fs";

/** Style sheets of the parts of public pages, each after those whose rules it changes, relative to `styles`. */
const SHEETS = [
  "../../web/pages/base.css",
  "page.css",
  "about.css",
  "stage.css",
  "live.css",
  "tiles.css",
  "list.css",
  "look-up.css",
  "charts.css",
  "source.css",
  "message.css",
];

const COMMENT = /\/\*[\s\S]*?\*\//g;
const SPACE_AROUND = /\s*([{};,])\s*/g;
const SPACE_AFTER_COLON = /: /g;
const LAST_SEMICOLON = /;\}/g;

/** Returns the style sheets of public pages as one, so that a page needs one request. */
export function saleStyles(): Buffer {
  return Buffer.from(
    SHEETS.map((name) => compacted(readFileSync(new URL(`./styles/${name}`, import.meta.url), "utf8"))).join(""),
  );
}

/**
 * Returns a style sheet without comments and spaces that mean nothing. Regular expressions are enough for that: biome formats
 * the sheets, and no text in them has such characters.
 */
function compacted(sheet: string): string {
  const spaced = sheet.replace(COMMENT, "").replace(SPACE_AROUND, "$1").replace(SPACE_AFTER_COLON, ":");
  return spaced.replace(LAST_SEMICOLON, "}").trim();
}
