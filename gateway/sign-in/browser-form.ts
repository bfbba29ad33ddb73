import type { AuthContext } from "../web/http/hono-context.ts";
import { guardedForm } from "../web/pages/form-guard.ts";
import { cookiesMissing } from "../web/pages/page-error.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";

/** Reads a form of the sign-in pages, which needs no session. @throws PageError where the browser refuses cookies */
export async function browserForm(c: AuthContext, dependencies: AuthDependencies, purpose: string) {
  const browserToken = dependencies.cookies.browserToken(c);
  if (browserToken === undefined) throw cookiesMissing();
  return { form: await guardedForm(c, dependencies, { purpose, secret: browserToken }), browserToken };
}
