import type { RulesStyle } from "../../../common/sale/words/rules-lines.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { texts } from "../base/texts.ts";

/** Returns how rules are written on the page that is being answered. */
export function rulesStyle(): RulesStyle {
  return { ruleWords: texts().ruleWords, language: pageLanguage() };
}
