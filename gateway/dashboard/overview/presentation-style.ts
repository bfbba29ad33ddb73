import type { PresentationStyle } from "../../../common/sale/words/presentation-lines.ts";
import { texts } from "../base/texts.ts";
import { definitionStyle } from "../definition/definition-style.ts";

/** Returns how what people read about a sale is written on the page that is being answered. */
export function presentationStyle(): PresentationStyle {
  const { presentationLabel: labels, presentation, ruleWords } = texts();
  return { labels, yes: presentation.yes, farTime: ruleWords.farTime, definition: definitionStyle() };
}
