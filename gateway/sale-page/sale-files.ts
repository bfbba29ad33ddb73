import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { LANGUAGES } from "../../common/platform/language/language.ts";
import { type DocumentKind, digestEtag, PublicDocument } from "../web/http/public-document.ts";
import { BASE_PUBLIC_HEADERS } from "../web/http/public-headers.ts";
import { browserModule, sharedModule } from "./browser-module.ts";
import { extraScript, extraScriptName, saleScript } from "./sale-script.ts";
import { allocationsStyles, laterStyles, messageStyles, saleStyles, verifyStyles } from "./sale-styles.ts";
import { laterWords } from "./script-words.ts";

/** The folder's name has the hash of its content, so its files never change. */
const IMMUTABLE = "public, max-age=31536000, immutable";
/** Founders' pages name the script without a version, so a corrected one reaches them within minutes. */
const SCRIPT_CACHE_CONTROL = "public, max-age=300, stale-while-revalidate=300";
const HASH_CHARACTERS = 12;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** Scripts of our own that a page loads, from `browser`. */
const MODULES = [
  "sale.js",
  "abi-words.js",
  "amounts.js",
  "bids.js",
  "chart-pointer.js",
  "chart-table.js",
  "chart-tabs.js",
  "chart.js",
  "charts.js",
  "clearing-rules.js",
  "client.js",
  "clock.js",
  "copying.js",
  "countdown-view.js",
  "countdown.js",
  "curves.js",
  "deadline.js",
  "decode-rows.js",
  "decoding-budget.js",
  "demand.js",
  "feed.js",
  "figures-view.js",
  "figures.js",
  "forecast-view.js",
  "freshness-view.js",
  "freshness.js",
  "hex-buffer.js",
  "history-chart.js",
  "later-styles.js",
  "liveness.js",
  "load-uplot.js",
  "look-up-rules.js",
  "look-up-start.js",
  "look-up-texts.js",
  "look-up.js",
  "marks.js",
  "measures.js",
  "numbers.js",
  "offer-rules.js",
  "offer.js",
  "own-bids.js",
  "pace.js",
  "page-texts.js",
  "plot-options.js",
  "position-follower.js",
  "position-view.js",
  "printed-text.js",
  "read-number.js",
  "read-selectors.js",
  "receipt.js",
  "reload-soon.js",
  "reloads.js",
  "result-link.js",
  "row-texts.js",
  "rules-view.js",
  "sale-rules.js",
  "sale-texts.js",
  "source-text.js",
  "stage-texts.js",
  "supply-line.js",
  "tiles.js",
  "timeline-rules.js",
  "times-view.js",
  "times.js",
  "unread.js",
  "verify.js",
  "wallet-check-view.js",
  "wallet-check.js",
  "what-if-view.js",
  "what-if.js",
  "words.js",
];

/** Scripts that other pages load, too, from `web/browser`. */
const SHARED_MODULES = ["injected-wallets.js", "message.js"];

/** Other files by the name under which a page loads them. */
const SOURCES: Readonly<Record<string, string>> = {
  "icon.svg": "../web/pages/icon.svg",
  "compare-in-browser.js": "./verify/compare-in-browser.js",
  "uPlot.iife.min.js": packaged("uplot/dist/uPlot.iife.min.js"),
  "uPlot.min.css": packaged("uplot/dist/uPlot.min.css"),
};

const contents = new Map([
  ["sale.css", saleStyles()] as const,
  ["later.css", laterStyles()] as const,
  ["message.css", messageStyles()] as const,
  ["verify.css", verifyStyles()] as const,
  ["allocations.css", allocationsStyles()] as const,
  ...MODULES.map((name) => [name, Buffer.from(browserModule(name))] as const),
  ...LANGUAGES.map((language) => [`later-${language}.js`, Buffer.from(laterWords(language))] as const),
  ...SHARED_MODULES.map((name) => [name, Buffer.from(sharedModule(name))] as const),
  ...Object.entries(SOURCES).map(([name, source]) => [name, readFileSync(new URL(source, import.meta.url))] as const),
]);

/** Scripts import each other by file name alone, so all files share one folder and one hash. */
const FOLDER = `assets/${hashOf(Array.from(contents.values()))}/`;

const FILES: ReadonlyMap<string, PublicDocument> = new Map(
  Array.from(contents, ([name, bytes]) => {
    const mediaType = MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    return [FOLDER + name, new PublicDocument(digestEtag(bytes), bytes, IMMUTABLE, fileKind(mediaType))];
  }),
);

/** Returns a file that sale pages load, by its path below `/sales/`. */
export function saleFile(path: string): PublicDocument | undefined {
  return FILES.get(path);
}

/** Returns the path under which sale pages load a file. */
export function saleFilePath(name: string): string {
  return `/sales/${FOLDER}${name}`;
}

/** The custom element for other sites. */
export const SALE_SCRIPT = scriptDocument(saleScript(), SCRIPT_CACHE_CONTROL);

const EXTRA_SCRIPT = scriptDocument(extraScript(), IMMUTABLE);
const EXTRA_NAME = extraScriptName();

/** Returns the element's second part; undefined for that of another version. @param name of its file */
export function extraScriptFile(name: string): PublicDocument | undefined {
  return name === EXTRA_NAME ? EXTRA_SCRIPT : undefined;
}

/** Returns a script that pages of any origin load. */
function scriptDocument(script: string, cacheControl: string): PublicDocument {
  const bytes = Buffer.from(script);
  return new PublicDocument(digestEtag(bytes), bytes, cacheControl, {
    ...fileKind("text/javascript; charset=utf-8"),
    headers: [...BASE_PUBLIC_HEADERS, "Cross-Origin-Resource-Policy", "cross-origin"],
  });
}

function fileKind(mediaType: string): DocumentKind {
  const headers = ["X-Content-Type-Options", "nosniff", "Content-Security-Policy", "default-src 'none'"];
  return { mediaType, headers, postHeaders: [] };
}

/** Returns the URL of a package's file. `import.meta.resolve` would do, but tests on Deno don't have it. */
function packaged(file: string): string {
  return pathToFileURL(createRequire(import.meta.url).resolve(file)).href;
}

function hashOf(files: readonly Buffer[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file);
  return hash.digest("hex").slice(0, HASH_CHARACTERS);
}
