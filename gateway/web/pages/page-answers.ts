import { randomUUID } from "node:crypto";
import type { Language } from "../../../common/platform/language/language.ts";
import type { AuthContext } from "../http/hono-context.ts";
import type { AuthDependencies } from "../sessions/auth-dependencies.ts";
import { authFailure } from "../sessions/auth-failure.ts";
import { redirectRefused, sentForm } from "../sessions/refused-steps.ts";
import { canKeep } from "../sessions/sealed-refusal.ts";
import { SignInRequired, signInUrl } from "../sessions/session.ts";
import { requestLanguage } from "../texts/request-language.ts";
import { errorPage } from "./error-page.ts";
import { failureError, failureRefusal, failureStatus, type ShownFailure, unkeptError } from "./failure.ts";
import { showAgainLink } from "./form-guard.ts";
import { type Page, showPage } from "./layout.ts";
import { PageError, type PageLink } from "./page-error.ts";

/** Puts a page about an error among the pages of its surface. */
export type ErrorFrame = (page: Page) => Page;

/** Middleware: no answer of a page is stored, redirects included. */
export async function unstored(c: AuthContext, next: () => Promise<void>): Promise<void> {
  c.header("Cache-Control", "no-store");
  c.header("Referrer-Policy", "same-origin");
  await next();
}

/**
 * Answers an error that a page's handler threw: a redirect to sign-in or to the page of the form that failed, or a page about the
 * error. A defect of Tidemark goes to the log under an ID that the page shows.
 */
export function answerPageError(
  c: AuthContext,
  error: unknown,
  dependencies: AuthDependencies,
  frame: ErrorFrame,
): Response | Promise<Response> {
  if (error instanceof SignInRequired) {
    if (!error.isRepeated) dependencies.cookies.clearSession(c);
    return c.redirect(signInUrl(error), 303);
  }
  const language = requestLanguage(c.env.incoming);
  const shown = error instanceof PageError ? error : answerFailure(c, error, dependencies, language);
  if (shown instanceof Response) return shown;
  for (const [name, value] of Object.entries(shown.options.headers ?? {})) c.header(name, value);
  return showPage(c, frame(errorPage(shown, language)));
}

/**
 * Answers a form whose call has failed: leads to its page, which shows why and what was entered. Returns the page about the failure
 * where there is no such form, or where the request was wrong, which sending it again wouldn't change.
 */
function answerFailure(
  c: AuthContext,
  error: unknown,
  dependencies: AuthDependencies,
  language: Language,
): PageError | Response {
  const failure = shownFailure(error, dependencies);
  const form = sentForm(c);
  if (form?.secret === undefined || failure.kind === "refused" || isByScript(c)) {
    return failureError(failure, language, form && showAgainLink(form.address));
  }
  const { address, secret, values } = form;
  const refusal = failureRefusal(failure, values);
  if (!canKeep(refusal)) return unkeptError(failure, language);
  return redirectRefused(c, dependencies, { address, secret }, refusal, failureStatus(failure));
}

function shownFailure(error: unknown, { logger }: AuthDependencies): ShownFailure {
  const failure = authFailure(error);
  if (failure.kind !== "internal") return { ...failure, errorId: "" };
  const errorId = randomUUID();
  logger.error({ err: error, errorId }, "page failed");
  return { ...failure, errorId };
}

/** Whether a script or a program asks, which reads the status, rather than a browser that shows a page. */
function isByScript(c: AuthContext): boolean {
  const accepted = c.req.header("accept") ?? "";
  const wantsJson = accepted.includes("application/json") && !accepted.includes("text/html");
  return wantsJson || c.req.header("sec-fetch-dest") === "empty";
}

/** Answers 405 with a page, for example where somebody loads the address of a form again. */
export function refuseMethod(
  c: AuthContext,
  methods: readonly string[],
  frame: ErrorFrame,
): Response | Promise<Response> {
  c.header("Allow", methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", "));
  const error = new PageError(
    405,
    (texts) => texts.error.methodTitle,
    (texts) => texts.error.methodText,
  );
  return showPage(c, frame(errorPage(error, requestLanguage(c.env.incoming))));
}

/** Answers 404 with a page, for an address that was mistyped or is no longer used. */
export function refusePath(c: AuthContext, link: PageLink, frame: ErrorFrame): Response | Promise<Response> {
  const error = new PageError(
    404,
    (texts) => texts.error.pathTitle,
    (texts) => texts.error.pathText,
    { link },
  );
  return showPage(c, frame(errorPage(error, requestLanguage(c.env.incoming))));
}
