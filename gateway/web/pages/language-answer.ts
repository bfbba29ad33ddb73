import type { MiddlewareHandler } from "hono";
import type { AuthContext, AuthEnv } from "../http/hono-context.ts";
import { languageSwitch } from "../texts/language-switch.ts";
import { firstKnownLanguage } from "../texts/preferred-language.ts";
import { askedCookie, chosenCookie, hasAskedCookie } from "../texts/request-language.ts";

/** Returns middleware that keeps the language chosen with a page's switch, and leads back to the page. */
export function switchLanguage(isSecure: boolean): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const choice = languageSwitch(pathname + search);
    if (choice === undefined) return next();
    c.header("Set-Cookie", chosenCookie(choice.language, isSecure), { append: true });
    return c.redirect(choice.address, 303);
  };
}

/**
 * Keeps the language that an application asks for with `ui_locales` (OpenID Connect Core, section 3.1.2.1) for the pages
 * of its authorization. Values that are no language of ours are ignored.
 */
export function keepAskedLanguage(c: AuthContext, uiLocales: string, isSecure: boolean): void {
  const asked = firstKnownLanguage(uiLocales);
  if (asked === undefined && !hasAskedCookie(c.env.incoming)) return;
  c.header("Set-Cookie", askedCookie(asked, isSecure), { append: true });
}
