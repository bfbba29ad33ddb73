import type { AuthContext } from "../http/hono-context.ts";
import type { AuthDependencies } from "../sessions/auth-dependencies.ts";
import { AUTH_PATHS } from "../sessions/auth-paths.ts";
import { noteForm } from "../sessions/refused-steps.ts";
import { nextPath, SignInRequired } from "../sessions/session.ts";
import { guardedForm, showAgainLink } from "./form-guard.ts";
import type { KeptFields, PageForm } from "./page-form.ts";

/**
 * Reads a form of the account's pages, and the session that it was shown to. From here on a failure leads back to the form's page.
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
  kept: KeptFields = [],
) {
  const sessionToken = dependencies.cookies.sessionToken(c);
  const nextOf = (form: PageForm) => (typeof next === "string" ? next : next(form));
  const addressOf = (form: PageForm) => nextPath(nextOf(form)) ?? AUTH_PATHS.account;
  const form = await guardedForm(c, dependencies, {
    purpose,
    secret: sessionToken,
    ended: (sent) => new SignInRequired(nextOf(sent), false),
    link: (sent) => showAgainLink(addressOf(sent)),
  });
  if (kept !== "script") noteForm(c, { address: addressOf(form), secret: sessionToken, values: form.values(kept) });
  return { form, sessionToken: sessionToken ?? "" };
}
