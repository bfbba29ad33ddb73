import type { AuthContext } from "../web/http/hono-context.ts";
import { guardedForm, showAgainLink } from "../web/pages/form-guard.ts";
import { cookiesMissing } from "../web/pages/page-error.ts";
import type { KeptFields, PageForm } from "../web/pages/page-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { noteForm } from "../web/sessions/refused-steps.ts";

export interface BrowserFormOptions {
  readonly purpose: string;
  /** Returns the address of the page of the form. */
  readonly address: (form: PageForm) => string;
  readonly kept: KeptFields;
}

/**
 * Reads a form of the sign-in pages, which needs no session. From here on a failure leads back to the form's page.
 *
 * @throws PageError where the browser refuses cookies
 */
export async function browserForm(
  c: AuthContext,
  dependencies: AuthDependencies,
  { purpose, address, kept }: BrowserFormOptions,
) {
  const secret = dependencies.cookies.browserToken(c);
  if (secret === undefined) throw cookiesMissing();
  const link = (form: PageForm) => showAgainLink(address(form));
  const form = await guardedForm(c, dependencies, { purpose, secret, link });
  if (kept !== "script") noteForm(c, { address: address(form), secret, values: form.values(kept) });
  return { form, browserToken: secret };
}
