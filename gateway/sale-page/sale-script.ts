import { DEFAULT_LANGUAGE, eachLanguage, type Language } from "../../common/platform/language/language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { browserModule, sharedModule } from "./browser-module.ts";

/** Modules of the custom element, each after `message.js` and others that it imports. */
const MODULES = [
  "numbers.js",
  "figures.js",
  "offer-rules.js",
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

const IMPORT = /^import .*;\n/gm;
const EXPORT = /^export /gm;
/** The texts of the element in a language. */
function elementTexts(language: Language) {
  const { liveness, label, element, status, stage, fault, about, time } = TEXTS[language].sale;
  const { opens, closes } = time;
  const head = { status, stage, fault, about: { test: about.test }, time: { opens, closes } };
  return { liveness, label, element, ...head };
}

/** Stands for `words.js`: the element writes in the language of the page that it is on, if it has that. */
const WORDS = `const WORDS = ${JSON.stringify(eachLanguage((_, language) => elementTexts(language)))};
const [TAG] = document.documentElement.lang.toLowerCase().split("-");
const language = () => (Object.hasOwn(WORDS, TAG) ? TAG : "${DEFAULT_LANGUAGE}");
const texts = () => WORDS[language()];
`;
const HEAD = "// <tidemark-sale>, Apache-2.0\n";

/**
 * Returns the custom element's modules as one, so that a page needs one request. Biome formats these modules, and no text
 * in them looks like an import or an export.
 */
export function saleScript(): string {
  const sources = [sharedModule("message.js"), ...MODULES.map(browserModule)];
  const modules = sources.map((source) => source.replace(IMPORT, "").replace(EXPORT, ""));
  return HEAD + WORDS + modules.join("");
}
