import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { beginAuthorization, continueAuthorization, decideConsent } from "../oauth/authorize.ts";
import type { AuthParts } from "../web/auth/auth-dependencies.ts";
import { authFailure } from "../web/auth/auth-failure.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import { SignInNeeded, signInUrl } from "../web/auth/session.ts";
import type { AuthApp, AuthContext, AuthEnv } from "../web/http/hono-context.ts";
import { errorPage } from "../web/pages/error-page.ts";
import { showPage } from "../web/pages/layout.ts";
import { PageError } from "../web/pages/page-error.ts";
import { endSession, showAccount, withdrawConsent } from "./account.ts";
import { deleteAccount, showDeletion } from "./deletion.ts";
import { beginEmailChange, completeEmailChange, showEmailChange, showEmailCode } from "./email-change.ts";
import { beginSignIn, completeSignIn, showCode, showSignIn } from "./sign-in.ts";
import { showSignedOut, signOut } from "./sign-out.ts";

type Handler = (c: AuthContext, parts: AuthParts) => Response | Promise<Response>;

const ROUTES: Readonly<Record<string, Readonly<Partial<Record<"GET" | "POST", Handler>>>>> = {
  [AUTH_PATHS.authorize]: { GET: beginAuthorization },
  [AUTH_PATHS.continue]: { GET: continueAuthorization },
  [AUTH_PATHS.consent]: { POST: decideConsent },
  [AUTH_PATHS.signIn]: { GET: showSignIn, POST: beginSignIn },
  [AUTH_PATHS.code]: { GET: showCode, POST: completeSignIn },
  [AUTH_PATHS.signOut]: { POST: signOut },
  [AUTH_PATHS.signedOut]: { GET: showSignedOut },
  [AUTH_PATHS.account]: { GET: showAccount },
  [AUTH_PATHS.endSession]: { POST: endSession },
  [AUTH_PATHS.withdraw]: { POST: withdrawConsent },
  [AUTH_PATHS.email]: { GET: showEmailChange, POST: beginEmailChange },
  [AUTH_PATHS.emailCode]: { GET: showEmailCode, POST: completeEmailChange },
  [AUTH_PATHS.deleteAccount]: { GET: showDeletion, POST: deleteAccount },
};

/** The pages that people see, and the forms on them. */
export function pagesApp(parts: AuthParts): AuthApp {
  const app = new Hono<AuthEnv>();
  app.onError((error, c) => answerPageError(c, error, parts));
  for (const [path, handlers] of Object.entries(ROUTES)) {
    app.use(path, unstored);
    for (const [method, handle] of Object.entries(handlers)) app.on(method, path, (c) => handle(c, parts));
    app.all(path, (c) => refuseMethod(c, Object.keys(handlers)));
  }
  return app;
}

/** For redirects, too. */
export async function unstored(c: AuthContext, next: () => Promise<void>): Promise<void> {
  c.header("Cache-Control", "no-store");
  c.header("Referrer-Policy", "same-origin");
  await next();
}

/** Answers whatever a handler of pages threw as a page; what is a fault of ours goes to the log under an ID. */
export function answerPageError(c: AuthContext, error: unknown, parts: AuthParts): Response | Promise<Response> {
  if (error instanceof SignInNeeded) {
    if (!error.isRepeated) parts.cookies.clearSession(c);
    return c.redirect(signInUrl(error), 303);
  }
  const shown = error instanceof PageError ? error : asPageError(error, parts);
  for (const [name, value] of Object.entries(shown.options.headers ?? {})) c.header(name, value);
  return showPage(c, errorPage(shown));
}

function asPageError(error: unknown, { logger }: AuthParts): PageError {
  const failure = authFailure(error);
  switch (failure.kind) {
    case "limited":
      return new PageError(
        429,
        "Please wait a little",
        `That was tried too often. ${waitWords(failure.retryAfterSeconds)}`,
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

function waitWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? "Please try again in a minute." : `Please try again in ${minutes} minutes.`;
}

/** A form's address that somebody opens by hand or loads anew leads nowhere, but harms nothing. */
export function refuseMethod(c: AuthContext, methods: readonly string[]): Response | Promise<Response> {
  const headers = { Allow: methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ") };
  c.header("Allow", headers.Allow);
  return showPage(c, errorPage(new PageError(405, "There is no page here", "Please go back to where you came from.")));
}
