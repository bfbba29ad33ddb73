import type { AuthContext } from "../http/hono-context.ts";
import type { AuthDependencies } from "../sessions/auth-dependencies.ts";
import { ACCOUNT_LINK } from "./account-link.ts";
import { guardedForm } from "./form-guard.ts";

/** Reads a form of the account's pages, and the session that it was shown to. */
export async function sessionForm(c: AuthContext, dependencies: AuthDependencies, purpose: string) {
  const sessionToken = dependencies.cookies.sessionToken(c);
  const link = () => ACCOUNT_LINK;
  const form = await guardedForm(c, dependencies, { purpose, secret: sessionToken, link });
  return { form, sessionToken: sessionToken ?? "" };
}
