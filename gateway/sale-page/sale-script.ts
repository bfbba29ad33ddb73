import { createHash } from "node:crypto";
import { DEFAULT_LANGUAGE, eachLanguage, type Language } from "../../common/platform/language/language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { browserModule, sharedModule } from "./browser-module.ts";

/** Modules of the custom element's first part, each after `message.js` and others that it imports. */
const MODULES = [
  "numbers.js",
  "figures.js",
  "deadline.js",
  "clock.js",
  "times.js",
  "sale-rules.js",
  "stage-texts.js",
  "liveness.js",
  "client.js",
  "feed.js",
  "pace.js",
  "tidemark-sale.js",
];

/** Modules of its second part, each after those that it imports. */
const EXTRA_MODULES = [
  "offer-rules.js",
  "offer.js",
  "row-texts.js",
  "tiles.js",
  "timeline-rules.js",
  "countdown.js",
  "look-up-rules.js",
  "look-up-texts.js",
  "clearing-rules.js",
  "forecast-view.js",
  "position-follower.js",
  "position-view.js",
  "sale-extras.js",
];

const IMPORT = /^import .*;\n/gm;
const IMPORTED = /^import \{(.*)\} from "\.\/(.*)";$/gm;
const EXPORT = /^export /gm;
const EXPORTED = /^export (?:class|function|const) (\w+)/gm;
const HASH_CHARACTERS = 12;

/** The texts of the element's first part in a language. */
function elementTexts(language: Language) {
  const { liveness, label, element, status, stage, fault, about } = TEXTS[language].sale;
  const { open: _open, wallet: _wallet, ...own } = element;
  const { committed, commitments } = label;
  const head = { status, stage, fault, about: { test: about.test } };
  return { liveness, label: { committed, commitments }, element: own, ...head };
}

/** Stands for `words.js`: the element writes in the language of the page that it is on, if it has that. */
const WORDS = `const WORDS = ${JSON.stringify(eachLanguage((_, language) => elementTexts(language)))};
const [TAG] = document.documentElement.lang.toLowerCase().split("-");
const language = () => (Object.hasOwn(WORDS, TAG) ? TAG : "${DEFAULT_LANGUAGE}");
const texts = () => WORDS[language()];
`;
const HEAD = "// <tidemark-sale>, Apache-2.0\n";

const extraSources = EXTRA_MODULES.map((name) => ({ name, source: browserModule(name) }));

const extraCode = extraSources.map(({ source }) => source).join("");

/** The texts of the second part in a language: those that its modules name, and all of times, whose names come with a sale. */
function extraTexts(language: Language) {
  const { label, element, time, tile, lookUp, bid } = TEXTS[language].sale;
  const { open, wallet } = element;
  const { utc: _utc, zone: _zone, inMinutes: _inMinutes, ...times } = time;
  const named = (texts: object) =>
    Object.fromEntries(Object.entries(texts).filter(([name]) => new RegExp(`\\b${name}\\b`).test(extraCode)));
  const shown = { time: times, tile: named(tile), lookUp: named(lookUp), bid: named(bid) };
  return { label: named(label), element: { open, wallet }, ...shown };
}

/** Adds the second part's texts to those of the first one. */
const MORE_WORDS = `for (const [tag, words] of Object.entries(${JSON.stringify(eachLanguage((_, language) => extraTexts(language)))}))
for (const name in words) WORDS[tag][name] = { ...WORDS[tag][name], ...words[name] };
`;

/** Names that the second part takes from the first one. */
const SHARED = new Set([
  "WORDS",
  ...extraSources.flatMap(({ source }) =>
    Array.from(source.matchAll(IMPORTED))
      .filter(([, , from = ""]) => isShared(from))
      .flatMap(([, names = ""]) => names.split(",").map((name) => name.trim())),
  ),
]);

/**
 * Returns the custom element's second part: a function that takes what the parts share. It is loaded after the first one, by a name
 * that follows from its content.
 */
export function extraScript(): string {
  return `${HEAD}export default ({${[...SHARED].join(",")}})=>{${MORE_WORDS}${extraSources.map(scopedModule).join("")}return{SaleExtras}}\n`;
}

/** Whether a module that the second part imports is in the first one. @throws TypeError where it is in neither */
function isShared(name: string): boolean {
  if (EXTRA_MODULES.includes(name)) return false;
  if (![...MODULES, "message.js", "words.js"].includes(name))
    throw new TypeError(`${name} is in no part of the element`);
  return true;
}

/** Returns a module in a scope of its own, out of which come its exports. */
function scopedModule({ source }: { source: string }): string {
  const names = Array.from(source.matchAll(EXPORTED), ([, name]) => name).join(",");
  return `const{${names}}=(()=>{${withoutImports(source)}return{${names}}})();\n`;
}

/** Returns the file name of the second part. */
export function extraScriptName(): string {
  return `${createHash("sha256").update(extraScript()).digest("hex").slice(0, HASH_CHARACTERS)}.js`;
}

/**
 * Stands for `load-extras.js`. While gateways are replaced one by one, the second part may be asked of one that doesn't have it yet, so
 * it is asked for once more, at an address of its own: a browser may remember that the first one failed.
 */
function loader(): string {
  return `const loadExtras=()=>{const load=(again)=>import(new URL("tidemark-sale/${extraScriptName()}"+again,import.meta.url).href);return load("").catch(()=>new Promise((done)=>setTimeout(done,5e3)).then(()=>load("?2"))).then((it)=>it.default({${[...SHARED].join(",")}}));};\n`;
}

/**
 * Returns the first part of the custom element: its modules as one, so that a page needs one request to show the sale. Biome formats these
 * modules, and no text in them looks like an import or an export.
 */
export function saleScript(): string {
  const sources = [sharedModule("message.js"), ...MODULES.map(browserModule)];
  return HEAD + WORDS + loader() + sources.map(withoutImports).join("");
}

function withoutImports(source: string): string {
  return source.replace(IMPORT, "").replace(EXPORT, "");
}
