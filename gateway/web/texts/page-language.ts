import { AsyncLocalStorage } from "node:async_hooks";
import { DEFAULT_LANGUAGE, type Language } from "../../../common/platform/language/language.ts";

const storage = new AsyncLocalStorage<Language>();

/** Runs `work`, and whatever it starts, for a page in a language: what it writes after waiting for something is in it, too. */
export function withPageLanguage<Result>(language: Language, work: () => Result): Result {
  return storage.run(language, work);
}

/** Returns the language of the page that is being answered; English outside of pages. */
export function pageLanguage(): Language {
  return storage.getStore() ?? DEFAULT_LANGUAGE;
}
