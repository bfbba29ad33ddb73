import type { Language } from "../../common/platform/language/language.ts";
import { TEXTS } from "../web/texts/texts.ts";

/** Beginnings of the names of texts that a sale doesn't need, by its pricing. */
const OTHER_NAMES = { auction: "commit", fixed: "bid" } as const;

/**
 * Returns the texts that a page's script begins with, as JSON for an element of the page: none that only the server writes, as
 * every page has them.
 */
export function scriptWords(language: Language, pricing: keyof typeof OTHER_NAMES): string {
  const { status, time, liveness, live, label, tile, list, fault, stage } = TEXTS[language].sale;
  const { utc: _utc, zone: _zone, ...times } = time;
  const { reload: _reload, ...shownLive } = live;
  const { rounding: _rounding, exactly: _exactly, atPrice: _atPrice, ...figures } = tile;
  const own = (named: object) =>
    Object.fromEntries(Object.entries(named).filter(([name]) => !name.startsWith(OTHER_NAMES[pricing])));
  const shown = { live: shownLive, tile: own(figures), list: { moreWallets: list.moreWallets } };
  const words = { status, time: times, liveness, label, fault, stage: own(stage), ...shown };
  return scriptJson(words);
}

/** Returns JSON for an element of a page: a text that ends a script would end the element. */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** Returns the module with the texts of what a page's script loads later: charts, looked up wallets and what if. */
export function laterWords(language: Language): string {
  const { chart, lookUp, bid, whatIf, check, numberWords } = TEXTS[language].sale;
  const { title: _, ...tried } = whatIf;
  return `export const later = ${JSON.stringify({ chart, lookUp, bid, whatIf: tried, check, numberWords })};\n`;
}
