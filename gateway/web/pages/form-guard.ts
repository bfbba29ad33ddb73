import type { AuthDependencies } from "../auth/auth-dependencies.ts";
import type { AuthContext } from "../http/hono-context.ts";
import { PageError, type PageLink } from "./page-error.ts";
import { FORM_TOKEN_FIELD, isFormToken, isFromOwnPage, type PageForm, pageForm } from "./page-form.ts";

export interface FormGuard {
  readonly purpose: string;
  /** The session's token, or the browser's where there needn't be a session. */
  readonly secret: string | undefined;
  /** Where the page can be seen anew. */
  readonly link?: (form: PageForm) => PageLink | undefined;
}

/**
 * The form of a POST, once it is known to come from a page of ours that this browser was shown, with the session that
 * it had then.
 *
 * @throws PageError 403 where it doesn't
 */
export function guardedForm(c: AuthContext, dependencies: AuthDependencies, guard: FormGuard): Promise<PageForm> {
  return guardedFormOf(c, dependencies, guard, pageForm);
}

/** `guardedForm` for a form that is read in a way of its own. */
export async function guardedFormOf<Form extends PageForm>(
  c: AuthContext,
  { config }: AuthDependencies,
  guard: FormGuard,
  read: (c: AuthContext) => Promise<Form>,
): Promise<Form> {
  if (!isFromOwnPage(c, config.authUrl)) {
    throw new PageError(
      403,
      "This form came from elsewhere",
      "For your safety only our own pages can do this. Nothing was changed.",
    );
  }
  const form = await read(c);
  if (isFormToken(form.text(FORM_TOKEN_FIELD), guard.purpose, guard.secret)) return form;
  const link = guard.link?.(form);
  throw new PageError(
    403,
    "This page is out of date",
    "You have signed in or out since it was shown, or your browser didn’t send our cookie. Nothing was changed.",
    link === undefined ? {} : { link },
  );
}
