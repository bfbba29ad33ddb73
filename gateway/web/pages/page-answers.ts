import { randomUUID } from "node:crypto";
import type { AuthDependencies } from "../auth/auth-dependencies.ts";
import { authFailure } from "../auth/auth-failure.ts";
import { SignInRequired, signInUrl } from "../auth/session.ts";
import type { AuthContext } from "../http/hono-context.ts";
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
  const shown = error instanceof PageError ? error : asPageError(error, dependencies);
  for (const [name, value] of Object.entries(shown.options.headers ?? {})) c.header(name, value);
  return showPage(c, errorPage(shown));
}

function asPageError(error: unknown, { logger }: AuthDependencies): PageError {
  const failure = authFailure(error);
  switch (failure.kind) {
    case "limited":
      return new PageError(
        429,
        "Please wait a little",
        `That was tried too often. ${retryText(failure.retryAfterSeconds)}`,
        {
          headers: { "Retry-After": String(failure.retryAfterSeconds) },
        },
      );
    case "unavailable":
      return new PageError(503, "We can’t answer at the moment", "Please load this page again in a minute.", {
        headers: { "Retry-After": String(failure.retryAfterSeconds) },
      });
    case "refused":
      return new PageError(400, "This can’t be done", "The page may be too old. Please start again.");
    case "internal": {
      const errorId = randomUUID();
      logger.error({ err: error, errorId }, "page failed");
      return new PageError(500, "Something went wrong on our side", "Please try again in a minute.", {
        detail: `error ID ${errorId}`,
      });
    }
  }
}

function retryText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? "Please try again in a minute." : `Please try again in ${minutes} minutes.`;
}

/** Answers 405 with a page, for example where somebody loads the address of a form again. */
export function refuseMethod(c: AuthContext, methods: readonly string[]): Response | Promise<Response> {
  c.header("Allow", methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", "));
  return showPage(c, errorPage(new PageError(405, "There is no page here", "Please go back to where you came from.")));
}

/** Answers 404 with a page, for an address that was mistyped or is no longer used. */
export function refusePath(c: AuthContext, link: PageLink): Response | Promise<Response> {
  const text = "The address may be mistyped or incomplete.";
  return showPage(c, errorPage(new PageError(404, "There is no such page", text, { link })));
}
