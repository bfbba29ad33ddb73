import type { AuthContext } from "../http/hono-context.ts";
import type { AuthDependencies } from "../sessions/auth-dependencies.ts";
import { PageError, type PageLink } from "./page-error.ts";
import { FORM_TOKEN_FIELD, isFormToken, isFromOwnPage, type PageForm, pageForm } from "./page-form.ts";

export interface FormGuard {
  readonly purpose: string;
  /** The session's token, or the browser's token for forms that need no session; undefined where the browser has none any more. */
  readonly secret: string | undefined;
  /** Returns a link to the current version of the page. */
  readonly link?: (form: PageForm) => PageLink | undefined;
  /** Returns the error to throw where the browser has no secret any more, by which it signs in and comes back to the form's page. */
  readonly ended?: (form: PageForm) => Error;
}

/**
 * Reads the form of a POST, after checking that the request comes from a page of Tidemark, and that this browser got
 * the page with its present session.
 *
 * @throws PageError 403 where one of these isn't so
 */
export function guardedForm(c: AuthContext, dependencies: AuthDependencies, guard: FormGuard): Promise<PageForm> {
  return guardedFormOf(c, dependencies, guard, pageForm);
}

/** Does the same as `guardedForm` for a form with another encoding. @param read reads the form */
export async function guardedFormOf<Form extends PageForm>(
  c: AuthContext,
  dependencies: AuthDependencies,
  guard: FormGuard,
  read: (c: AuthContext) => Promise<Form>,
): Promise<Form> {
  const form = await formOfOwnPage(c, dependencies, read);
  requireFormToken(form, guard);
  return form;
}

/** Checks that this browser got the form with its present session. @throws PageError 403 where it didn't; or what `ended` returns */
export function requireFormToken(form: PageForm, guard: FormGuard): void {
  if (isFormToken(form.text(FORM_TOKEN_FIELD), guard.purpose, guard.secret)) return;
  if (guard.secret === undefined && guard.ended !== undefined) throw guard.ended(form);
  const link = guard.link?.(form);
  throw new PageError(
    403,
    (texts) => texts.form.outdated,
    (texts) => texts.form.outdatedText,
    link === undefined ? {} : { link },
  );
}

/**
 * Reads the form of a POST, after checking only that the request comes from a page of Tidemark: for a handler that does
 * something harmless where the session has ended, and calls `requireFormToken` for the rest.
 *
 * @throws PageError 403
 */
export async function formOfOwnPage<Form extends PageForm>(
  c: AuthContext,
  { config }: AuthDependencies,
  read: (c: AuthContext) => Promise<Form>,
): Promise<Form> {
  if (!isFromOwnPage(c, config.authUrl)) {
    throw new PageError(
      403,
      ({ form }) => form.elsewhere,
      ({ form }) => form.elsewhereText,
    );
  }
  return read(c);
}
