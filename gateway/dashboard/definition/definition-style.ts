import type { DefinitionStyle } from "../../../common/sale/words/definition-lines.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { texts } from "../base/texts.ts";

/** Returns how a sale's definition is written on the page that is being answered. */
export function definitionStyle(): DefinitionStyle {
  const { definitionWords, unitWords } = texts();
  return { definitionWords, unitWords, language: pageLanguage() };
}
