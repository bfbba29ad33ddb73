import { Hono } from "hono";
import { beginAuthorization, continueAuthorization, decideConsent } from "../oauth/authorize.ts";
import type { AuthParts } from "../web/auth/auth-dependencies.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import type { AuthApp, AuthContext, AuthEnv } from "../web/http/hono-context.ts";
import { answerPageError, refuseMethod, unstored } from "../web/pages/page-answers.ts";
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
