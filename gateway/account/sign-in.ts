import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { CodeResult, type CompleteSignInResponse } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { authorizationUrl, signInTarget } from "../oauth/authorization-step.ts";
import { SIGN_IN_FORM, type SignInPurpose, signInPage } from "../oauth/sign-in-page.ts";
import type { AuthDependencies } from "../web/auth/auth-dependencies.ts";
import { isRefused } from "../web/auth/auth-failure.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import { peerOf } from "../web/auth/request-peer.ts";
import { nextPath } from "../web/auth/session.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { isEmailLike } from "../web/pages/email-entry.ts";
import { guardedForm } from "../web/pages/form-guard.ts";
import { showPage } from "../web/pages/layout.ts";
import { cookiesMissing } from "../web/pages/page-error.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { codeError, enteredCode } from "./code-entry.ts";
import { CODE_FORM, codeAddress, codePage } from "./code-page.ts";

/** `GET /sign-in`: a sign-in that no application asked for. */
export function showSignIn(c: AuthContext, { cookies }: AuthDependencies) {
  const view = {
    authorization: "",
    next: knownNext(c.req.query("next") ?? ""),
    isRepeated: c.req.query("again") === "1",
  };
  return showPage(
    c,
    signInPage({ ...view, browserToken: cookies.ensureBrowserToken(c) }, requestLanguage(c.env.incoming)),
  );
}

/** `POST /sign-in`: sends the one-time code. */
export async function beginSignIn(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies } = dependencies;
  const { form, browserToken } = await browserForm(c, dependencies, SIGN_IN_FORM);
  const { authorization, next } = purposeOf(form);
  const email = form.text("email").trim();
  const { client, nextStep } = await signInTarget(c, dependencies, authorization);
  if (nextStep !== undefined) return nextStep;
  const language = requestLanguage(c.env.incoming);
  const error = TEXTS[language].signIn.emailError;
  const refuse = () => showPage(c, signInPage({ authorization, next, client, browserToken, email, error }, language));
  if (!isEmailLike(email)) return refuse();
  try {
    const { signInHandle: handle } = await clients.accounts.beginSignIn({
      email,
      browserToken,
      authorizationHandle: authorization,
      knownBrowser: cookies.knownBrowser(c),
      peer: peerOf(c, dependencies),
    });
    cookies.setPendingSignIn(c, { handle, email });
    return c.redirect(codeAddress({ signIn: handle, authorization, next }), 303);
  } catch (failure) {
    if (isRefused(failure, Code.InvalidArgument)) return refuse();
    throw failure;
  }
}

/** `GET /sign-in/code` */
export async function showCode(c: AuthContext, dependencies: AuthDependencies) {
  const browserToken = dependencies.cookies.browserToken(c);
  if (browserToken === undefined) throw cookiesMissing();
  const authorization = c.req.query("authorization") ?? "";
  const { client, nextStep } = await signInTarget(c, dependencies, authorization);
  if (nextStep !== undefined) return nextStep;
  const purpose = { authorization, next: knownNext(c.req.query("next") ?? ""), client };
  const signIn = c.req.query("sign_in") ?? "";
  const email = pendingEmail(c, dependencies, signIn);
  return showPage(c, codePage({ ...purpose, browserToken, signIn, email }, requestLanguage(c.env.incoming)));
}

/** `POST /sign-in/code`: starts the session. */
export async function completeSignIn(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies } = dependencies;
  const { form, browserToken } = await browserForm(c, dependencies, CODE_FORM);
  const signIn = form.text("sign_in");
  const answer = await clients.accounts.completeSignIn({
    signInHandle: signIn,
    browserToken,
    code: enteredCode(form),
    previousSessionToken: cookies.sessionToken(c) ?? "",
    knownBrowser: cookies.knownBrowser(c),
    peer: peerOf(c, dependencies),
  });
  const { authorization, next } = purposeOf(form);
  if (answer.result === CodeResult.CORRECT) {
    startSession(c, dependencies, answer);
    return c.redirect(
      authorization === "" ? (nextPath(next) ?? AUTH_PATHS.account) : authorizationUrl(authorization),
      303,
    );
  }
  const { client, nextStep } = await signInTarget(c, dependencies, authorization);
  if (nextStep !== undefined) return nextStep;
  const purpose: SignInPurpose = { authorization, next, client };
  const email = pendingEmail(c, dependencies, signIn);
  const language = requestLanguage(c.env.incoming);
  const view = { ...purpose, browserToken, signIn, email, ...codeError(answer, language) };
  return showPage(c, codePage(view, language));
}

function startSession(
  c: AuthContext,
  { cookies }: AuthDependencies,
  { sessionToken, session, knownBrowser }: CompleteSignInResponse,
): void {
  const expiresAt = session?.expiresAt;
  if (expiresAt === undefined) throw new TypeError("CompleteSignInResponse.session is incomplete");
  cookies.setSession(c, sessionToken, Math.max(0, Math.floor((timestampMs(expiresAt) - Date.now()) / 1000)));
  cookies.setKnownBrowser(c, knownBrowser);
  cookies.clearPendingSignIn(c);
}

async function browserForm(c: AuthContext, dependencies: AuthDependencies, purpose: string) {
  const browserToken = dependencies.cookies.browserToken(c);
  if (browserToken === undefined) throw cookiesMissing();
  return { form: await guardedForm(c, dependencies, { purpose, secret: browserToken }), browserToken };
}

function purposeOf(form: PageForm): { authorization: string; next: string } {
  return { authorization: form.text("authorization"), next: knownNext(form.text("next")) };
}

function knownNext(next: string): string {
  return nextPath(next) === undefined ? "" : next;
}

function pendingEmail(c: AuthContext, { cookies }: AuthDependencies, signIn: string): string | undefined {
  const pending = cookies.pendingSignIn(c);
  return pending?.handle === signIn ? pending.email : undefined;
}
