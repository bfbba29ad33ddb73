import type { AuthContext } from "../http/hono-context.ts";
import type { AuthDependencies } from "../sessions/auth-dependencies.ts";
import { PageError, type PageLink } from "./page-error.ts";
import { FORM_TOKEN_FIELD, isFormToken, type PageForm, pageForm, sourceOf } from "./page-form.ts";

export interface FormGuard {
  readonly purpose: string;
  /** The session's token, or the browser's token for forms that need no session; undefined where the browser has none any more. */
  readonly secret: string | undefined;
  /** Returns a link to the current version of the page, or to one where the user can go on. */
  readonly link: (form: PageForm) => PageLink;
  /** Returns the error to throw where the browser has no secret any more, by which it signs in and comes back to the form's page. */
  readonly ended?: (form: PageForm) => Error;
}

/** Returns the link to the page of a form, by its address. */
export function showAgainLink(href: string): PageLink {
  return { href, text: ({ form }) => form.showAgain };
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
  const form = await formOfOwnPage(c, dependencies, guard, read);
  requireFormToken(form, guard);
  return form;
}

/** Checks that this browser got the form with its present session. @throws PageError 403 where it didn't; or what `ended` returns */
export function requireFormToken(form: PageForm, guard: FormGuard): void {
  if (isFormToken(form.text(FORM_TOKEN_FIELD), guard.purpose, guard.secret)) return;
  if (guard.secret === undefined && guard.ended !== undefined) throw guard.ended(form);
  throw new PageError(
    403,
    (texts) => texts.form.outdated,
    (texts) => texts.form.outdatedText,
    { link: guard.link(form) },
  );
}

/**
 * Reads the form of a POST, after checking only that the request comes from a page of Tidemark: for a handler that does
 * something harmless where the session has ended, and calls `requireFormToken` for the rest.
 *
 * @throws PageError 403, with a link where nobody can tell where the request comes from
 */
export async function formOfOwnPage<Form extends PageForm>(
  c: AuthContext,
  { config }: AuthDependencies,
  { link }: Pick<FormGuard, "link">,
  read: (c: AuthContext) => Promise<Form>,
): Promise<Form> {
  const source = sourceOf(c, config.authUrl);
  if (source === "elsewhere") {
    throw new PageError(
      403,
      (texts) => texts.form.elsewhere,
      (texts) => texts.form.elsewhereText,
    );
  }
  const form = await read(c);
  if (source === "own page") return form;
  throw new PageError(
    403,
    (texts) => texts.form.sourceless,
    (texts) => texts.form.sourcelessText,
    { link: link(form) },
  );
}
