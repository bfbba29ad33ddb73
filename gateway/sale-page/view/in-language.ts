import type { Language } from "../../../common/platform/language/language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { swapWords } from "../browser/words.js";

/**
 * Writes something in a language. One thread writes one page after another, so it must be written at once: what is written after
 * waiting for something isn't in it.
 */
export function inLanguage<Written>(language: Language, write: () => Written): Written {
  const before = swapWords({ language, texts: TEXTS[language].sale });
  try {
    return write();
  } finally {
    swapWords(before);
  }
}
