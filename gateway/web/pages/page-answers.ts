import { randomUUID } from "node:crypto";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill, fillCounted } from "../../../common/platform/language/message.ts";
import type { AuthContext } from "../http/hono-context.ts";
import type { AuthDependencies } from "../sessions/auth-dependencies.ts";
import { authFailure } from "../sessions/auth-failure.ts";
import { SignInRequired, signInUrl } from "../sessions/session.ts";
import type { Texts } from "../texts/en.ts";
import { requestLanguage } from "../texts/request-language.ts";
import { TEXTS } from "../texts/texts.ts";
import { errorPage } from "./error-page.ts";
import { showPage } from "./layout.ts";
import { PageError, type PageLink } from "./page-error.ts";

/** Middleware: no answer of a page is stored, redirects included. */
export async function unstored(c: AuthContext, next: () => Promise<void>): Promise<void> {
  c.header("Cache-Control", "no-store");
  c.header("Referrer-Policy", "same-origin");
  await next();
}

/**
 * Answers an error that a page's handler threw: a redirect to sign-in, or a page about the error. A defect of
 * Tidemark goes to the log under an ID that the page shows.
 */
export function answerPageError(
  c: AuthContext,
  error: unknown,
  dependencies: AuthDependencies,
): Response | Promise<Response> {
  if (error instanceof SignInRequired) {
    if (!error.isRepeated) dependencies.cookies.clearSession(c);
    return c.redirect(signInUrl(error), 303);
  }
  const language = requestLanguage(c.env.incoming);
  const shown = error instanceof PageError ? error : asPageError(error, dependencies, language);
  for (const [name, value] of Object.entries(shown.options.headers ?? {})) c.header(name, value);
  return showPage(c, errorPage(shown, language));
}

function asPageError(error: unknown, { logger }: AuthDependencies, language: Language): PageError {
  const failure = authFailure(error);
  switch (failure.kind) {
    case "limited":
      return new PageError(
        429,
        (texts) => texts.error.waitTitle,
        (texts) => waitText(texts, failure.retryAfterSeconds, language),
        {
          headers: { "Retry-After": String(failure.retryAfterSeconds) },
        },
      );
    case "unavailable":
      return new PageError(
        503,
        (texts) => texts.error.awayTitle,
        (texts) => texts.error.awayText,
        {
          headers: { "Retry-After": String(failure.retryAfterSeconds) },
        },
      );
    case "refused":
      return new PageError(
        400,
        (texts) => texts.error.refusedTitle,
        (texts) => texts.error.refusedText,
      );
    case "internal": {
      const errorId = randomUUID();
      logger.error({ err: error, errorId }, "page failed");
      return new PageError(
        500,
        (texts) => texts.error.faultTitle,
        (texts) => texts.error.faultText,
        {
          detail: fill(TEXTS[language].error.faultId, { id: errorId }),
        },
      );
    }
  }
}

function waitText({ error }: Texts, seconds: number, language: Language): string {
  return fillCounted(error.waitText, Math.max(1, Math.ceil(seconds / 60)), language, {});
}

/** Answers 405 with a page, for example where somebody loads the address of a form again. */
export function refuseMethod(c: AuthContext, methods: readonly string[]): Response | Promise<Response> {
  c.header("Allow", methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", "));
  const error = new PageError(
    405,
    (texts) => texts.error.methodTitle,
    (texts) => texts.error.methodText,
  );
  return showPage(c, errorPage(error, requestLanguage(c.env.incoming)));
}

/** Answers 404 with a page, for an address that was mistyped or is no longer used. */
export function refusePath(c: AuthContext, link: PageLink): Response | Promise<Response> {
  const error = new PageError(
    404,
    (texts) => texts.error.pathTitle,
    (texts) => texts.error.pathText,
    { link },
  );
  // Paths without a page have no switch of languages either.
  return showPage(c, { ...errorPage(error, requestLanguage(c.env.incoming)), address: undefined });
}
