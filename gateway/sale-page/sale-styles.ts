import { readFileSync } from "node:fs";
import { LANGUAGES, type Language } from "../../common/platform/language/language.ts";
import { fill } from "../../common/platform/language/message.ts";
import { TEXTS } from "../web/texts/texts.ts";

/** Style sheets of the parts of public pages, each after those whose rules it changes, relative to `styles`. */
const SHEETS = [
  "../../web/pages/base.css",
  "page.css",
  "about.css",
  "live.css",
  "hero.css",
  "look-up.css",
  "charts.css",
  "narrow.css",
];

/** Style sheets of what isn't in sight at first: a script loads them with what they style, and without script the page does. */
const LATER_SHEETS = [
  "source.css",
  "list.css",
  "decides.css",
  "position.css",
  "what-if.css",
  "chart-numbers.css",
  "paper.css",
  "wallet-check.css",
  "receipt.css",
];

const COMMENT = /\/\*[\s\S]*?\*\//g;
const SPACE_AROUND = /\s*([{};,>])\s*/g;
const SPACE_AFTER_COLON = /: /g;
const LAST_SEMICOLON = /;\}/g;

/** Returns the style sheets of public pages as one, so that a page needs one request. */
export function saleStyles(): Buffer {
  return Buffer.from(SHEETS.map(compactedSheet).join(""));
}

/** Returns the style sheet of public pages that are no sale's. */
export function messageStyles(): Buffer {
  return Buffer.from(compactedSheet("message.css"));
}

/** Returns the style sheet of the page of checks. */
export function verifyStyles(): Buffer {
  return Buffer.from(compactedSheet("verify.css"));
}

/** Returns the style sheet of the list of all allocations. */
export function allocationsStyles(): Buffer {
  return Buffer.from(compactedSheet("allocations.css"));
}

/** Returns the style sheets of what a page shows later, as one. */
export function laterStyles(): Buffer {
  return Buffer.from([...LATER_SHEETS.map(compactedSheet), ...LANGUAGES.map(listLabels)].join(""));
}

function compactedSheet(name: string): string {
  return compacted(readFileSync(new URL(`./styles/${name}`, import.meta.url), "utf8"));
}

/**
 * Returns the labels of the figures of the list of commitments, which narrow pages have in place of the table's head. In the style
 * sheet they are there once, in the page they would be in each row.
 */
function listLabels(language: Language): string {
  const { list, tile } = TEXTS[language].sale;
  const labels = [list.time, list.wallet, list.amount, fill(tile.price, { per: "" })];
  return labels
    .map((label, index) => {
      const cell = `#latest td:nth-child(${index + 1})`;
      return `:lang(${language}) ${cell}{--label:${JSON.stringify(`${label.trim()} `)}}`;
    })
    .join("");
}

/**
 * Returns a style sheet without comments and spaces that mean nothing. Regular expressions are enough for that: biome formats
 * the sheets, and no text in them has such characters.
 */
function compacted(sheet: string): string {
  const spaced = sheet.replace(COMMENT, "").replace(SPACE_AROUND, "$1").replace(SPACE_AFTER_COLON, ":");
  return spaced.replace(LAST_SEMICOLON, "}").trim();
}
