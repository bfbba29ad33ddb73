import type { AuthContext } from "../http/hono-context.ts";
import type { AuthDependencies } from "../sessions/auth-dependencies.ts";
import { AUTH_PATHS } from "../sessions/auth-paths.ts";
import { nextPath, SignInRequired } from "../sessions/session.ts";
import { guardedForm } from "./form-guard.ts";
import type { PageForm } from "./page-form.ts";

/**
 * Reads a form of the account's pages, and the session that it was shown to.
 *
 * @param next the form's page, as `nextPath` knows it; empty for the account itself. A sign-in leads back to it
 * @throws SignInRequired where the session has ended
 * @throws PageError 403, with a link to the form's page, where another session has begun
 */
export async function sessionForm(
  c: AuthContext,
  dependencies: AuthDependencies,
  purpose: string,
  next: string | ((form: PageForm) => string),
) {
  const sessionToken = dependencies.cookies.sessionToken(c);
  const nextOf = (form: PageForm) => (typeof next === "string" ? next : next(form));
  const form = await guardedForm(c, dependencies, {
    purpose,
    secret: sessionToken,
    ended: (sent) => new SignInRequired(nextOf(sent), false),
    link: (sent) => ({ href: nextPath(nextOf(sent)) ?? AUTH_PATHS.account, text: (texts) => texts.form.showAgain }),
  });
  return { form, sessionToken: sessionToken ?? "" };
}
