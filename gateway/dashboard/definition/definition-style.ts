import { utcText } from "../../../common/platform/language/utc-text.ts";
import type { AuctionStyle } from "../../../common/sale/words/auction-lines.ts";
import type { DefinitionStyle } from "../../../common/sale/words/definition-lines.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { texts } from "../base/texts.ts";

/** Returns how a sale's definition is written on the page that is being answered. */
export function definitionStyle(): DefinitionStyle {
  const { definitionWords, unitWords } = texts();
  return { definitionWords, unitWords, language: pageLanguage() };
}

/** Returns how what an auction states is written on that page. */
export function auctionStyle(): AuctionStyle {
  const language = pageLanguage();
  const { auctionWords } = texts();
  return { ...definitionStyle(), auctionWords, timeText: (time) => utcText(time, language) };
}
