import { knownLanguage, type Language } from "../../../common/platform/language/language.ts";
import { SWITCH_PARAMETER } from "./request-language.ts";

/** The wish of a reader who has used a page's switch. */
export interface LanguageSwitch {
  readonly language: Language;
  /** Path and query of the same page without that wish. */
  readonly address: string;
}

const BASE = "http://base.invalid";

/**
 * Returns the wish in a request's target; undefined without one. The way back is the request's own path, so no link can
 * lead elsewhere.
 *
 * @param target path and query
 */
export function languageSwitch(target: string): LanguageSwitch | undefined {
  if (!target.includes(SWITCH_PARAMETER)) return undefined;
  const { pathname, searchParams } = new URL(BASE + target);
  const language = knownLanguage(searchParams.get(SWITCH_PARAMETER) ?? undefined);
  // A path with two slashes in front would be another host as the target of a redirect.
  if (language === undefined || pathname.startsWith("//")) return undefined;
  searchParams.delete(SWITCH_PARAMETER);
  return { language, address: withQuery(pathname, searchParams) };
}

/** Returns the address that shows a page in another language. @param address path and query of the page */
export function switchAddress(address: string, language: Language): string {
  const { pathname, searchParams } = new URL(BASE + address);
  searchParams.set(SWITCH_PARAMETER, language);
  return withQuery(pathname, searchParams);
}

function withQuery(pathname: string, query: URLSearchParams): string {
  return query.size === 0 ? pathname : `${pathname}?${query}`;
}
