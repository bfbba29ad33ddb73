import { AsyncLocalStorage } from "node:async_hooks";
import { DEFAULT_LANGUAGE, type Language } from "../../../common/platform/language/language.ts";

const storage = new AsyncLocalStorage<Language | undefined>();

/**
 * Runs `work`, and whatever it starts, for a page in a language: what it writes after waiting for something is in it, too.
 *
 * @param language undefined for a page that exists in English only
 */
export function withPageLanguage<Result>(language: Language | undefined, work: () => Result): Result {
  return storage.run(language, work);
}

/** Returns the language of the page that is being answered; English for a page that exists in no other, and outside of pages. */
export function pageLanguage(): Language {
  return storage.getStore() ?? DEFAULT_LANGUAGE;
}

/** Returns the language of the page for its switch of languages; undefined for a page that exists in English only. */
export function switchedLanguage(): Language | undefined {
  return storage.getStore();
}
