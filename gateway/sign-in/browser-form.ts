import type { AuthContext } from "../web/http/hono-context.ts";
import { guardedForm, showAgainLink } from "../web/pages/form-guard.ts";
import { cookiesMissing } from "../web/pages/page-error.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";

/**
 * Reads a form of the sign-in pages, which needs no session.
 *
 * @param address returns the page of the form
 * @throws PageError where the browser refuses cookies
 */
export async function browserForm(
  c: AuthContext,
  dependencies: AuthDependencies,
  purpose: string,
  address: (form: PageForm) => string,
) {
  const browserToken = dependencies.cookies.browserToken(c);
  if (browserToken === undefined) throw cookiesMissing();
  const link = (form: PageForm) => showAgainLink(address(form));
  return { form: await guardedForm(c, dependencies, { purpose, secret: browserToken, link }), browserToken };
}
