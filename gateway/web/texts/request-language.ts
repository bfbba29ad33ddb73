import type { IncomingMessage } from "node:http";
import { knownLanguage, type Language } from "../../../common/platform/language/language.ts";
import { ASKED_LANGUAGE_COOKIE_S, CHOSEN_LANGUAGE_COOKIE_S } from "../lifetimes.ts";
import { acceptedLanguage } from "./preferred-language.ts";

/** The parameter with which the switch of a page asks for a language, at the page's own address. */
export const SWITCH_PARAMETER = "set_language";

/** Cookie with the language that somebody chose with the switch. */
const CHOSEN = "tidemark-language";
/** Cookie with the language that an application asked for in its authorization request. */
const ASKED = "tidemark-ui-locale";
/** A cookie's value of this size at most is a tag of ours. */
const COOKIE = /(?:^|;[ ]*)(tidemark-language|tidemark-ui-locale)=([\w-]{2,35})(?=;|$)/g;

/**
 * Returns the language to answer a request in: the one chosen with the switch, else the one that an application asked
 * for, else the one that the browser prefers.
 */
export function requestLanguage({ headers }: Pick<IncomingMessage, "headers">): Language {
  const cookies = new Map(Array.from((headers.cookie ?? "").matchAll(COOKIE), ([, name, value]) => [name, value]));
  return (
    knownLanguage(cookies.get(CHOSEN)) ??
    knownLanguage(cookies.get(ASKED)) ??
    acceptedLanguage(headers["accept-language"])
  );
}

/** Returns the `Set-Cookie` header that keeps a chosen language for a year. @param isSecure whether the site is https */
export function chosenCookie(language: Language, isSecure: boolean): string {
  return cookieOf(CHOSEN, language, CHOSEN_LANGUAGE_COOKIE_S, isSecure);
}

/** Returns the `Set-Cookie` header that keeps the language of an authorization; without a language, the one that forgets it. */
export function askedCookie(language: Language | undefined, isSecure: boolean): string {
  return cookieOf(ASKED, language ?? "", language === undefined ? 0 : ASKED_LANGUAGE_COOKIE_S, isSecure);
}

/** Whether a request has the cookie of an authorization's language. */
export function hasAskedCookie({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return (headers.cookie ?? "").includes(`${ASKED}=`);
}

function cookieOf(name: string, value: string, seconds: number, isSecure: boolean): string {
  return `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}
