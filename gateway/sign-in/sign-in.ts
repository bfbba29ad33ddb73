import { Code } from "@connectrpc/connect";
import { CodeResult } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { enteredEmail, isEmailLike } from "../web/pages/email-entry.ts";
import { failureText } from "../web/pages/failure.ts";
import { showPage } from "../web/pages/layout.ts";
import { cookiesMissing } from "../web/pages/page-error.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { isRefused } from "../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { canHavePasskeys } from "../web/sessions/passkey-host.ts";
import { redirectRefused, shownRefusal } from "../web/sessions/refused-steps.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import { hasRecentSession } from "../web/sessions/session.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { signInTarget } from "./authorization-step.ts";
import { browserForm } from "./browser-form.ts";
import { CODE_FORM, codeAddress, codePage, codeRefusal, enteredCode, refusedCodeError } from "./code-page.ts";
import { readCodeState } from "./next-code.ts";
import { offerAddress, wantsOffer } from "./offer.ts";
import { SIGN_IN_FORM, signInPage } from "./sign-in-page.ts";
import { addressOfForm, BAD_EMAIL, refuseSignIn, signInError } from "./sign-in-refusal.ts";
import { knownNext, purposeOf, startSession, targetOf } from "./start-session.ts";

/** `GET /sign-in`: a sign-in that no application asked for. */
export async function showSignIn(c: AuthContext, dependencies: AuthDependencies) {
  const { cookies, config } = dependencies;
  const isRepeated = c.req.query("again") === "1";
  const [browserToken, language] = [cookies.ensureBrowserToken(c), requestLanguage(c.env.incoming)];
  const email = isRepeated ? await signedInEmail(c, dependencies) : undefined;
  const view = {
    authorization: "",
    next: knownNext(c.req.query("next") ?? ""),
    isRepeated,
    ...(email !== undefined && { email }),
    needsPasskey: c.req.query("passkey") === "1",
    hasPasskeys: canHavePasskeys(config.authUrl),
    browserToken,
    ...signInError(c, dependencies, browserToken, language),
  };
  return showPage(c, signInPage(view, language));
}

/** Returns the address of whoever is signed in; undefined if nobody is. */
async function signedInEmail(c: AuthContext, { clients, cookies }: AuthDependencies): Promise<string | undefined> {
  const sessionToken = cookies.sessionToken(c);
  if (sessionToken === undefined) return undefined;
  try {
    const { account } = await clients.accounts.getSession({ sessionToken });
    return account?.email;
  } catch (failure) {
    if (isRefused(failure, Code.Unauthenticated)) return undefined;
    throw failure;
  }
}

/** `POST /sign-in`: sends the one-time code. */
export async function beginSignIn(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies } = dependencies;
  const options = { purpose: SIGN_IN_FORM, address: pageOfForm, kept: ["email"] };
  const { form, browserToken } = await browserForm(c, dependencies, options);
  const { authorization, next } = purposeOf(form);
  const email = enteredEmail(form);
  const refuse = () => refuseSignIn(c, dependencies, { form, browserToken }, { problem: BAD_EMAIL, values: { email } });
  if (!isEmailLike(email)) return refuse();
  const { nextStep } = await signInTarget(c, dependencies, authorization);
  if (nextStep !== undefined) return nextStep;
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

/** Returns the address of the page that the form is on: that of a code sends another one. */
function pageOfForm(form: PageForm): string {
  return form.has("sign_in") ? addressOfCode(form) : addressOfForm(form);
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
  const language = requestLanguage(c.env.incoming);
  const state = await readCodeState(c, dependencies, { signIn, browserToken });
  const refusal = shownRefusal(c, dependencies, browserToken);
  // The sign-in is complete: the code was sent twice, for example by a second click, or another tab has signed the user in.
  const isComplete = state.isOver && state.email === undefined;
  if (isComplete && (await hasRecentSession(c, dependencies))) return c.redirect(targetOf(purpose), 303);
  const failure = failureText(refusal, language);
  const error = refusal && refusedCodeError(refusal, state, language);
  return showPage(c, codePage({ ...purpose, browserToken, signIn, state, error, failure }, language));
}

/** `POST /sign-in/code`: starts the session. */
export async function completeSignIn(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies, config } = dependencies;
  const options = { purpose: CODE_FORM, address: addressOfCode, kept: [] };
  const { form, browserToken } = await browserForm(c, dependencies, options);
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
    const isWanted = wantsOffer(form) && canHavePasskeys(config.authUrl) && !cookies.hasDeclinedPasskey(c);
    const offers = isWanted && !answer.hasPasskey;
    return c.redirect(offers ? offerAddress({ authorization, next }) : targetOf({ authorization, next }), 303);
  }
  if (answer.result === CodeResult.PASSKEY_REQUIRED) {
    cookies.setRecoveryPass(c, answer.recoveryPass);
    cookies.clearPendingSignIn(c);
    return c.redirect(AUTH_PATHS.recoveryByPass, 303);
  }
  const step = { address: addressOfCode(form), secret: browserToken };
  return redirectRefused(c, dependencies, step, codeRefusal(answer));
}

/** Returns the address of the page that the form for a code is on. */
function addressOfCode(form: PageForm): string {
  return codeAddress({ signIn: form.text("sign_in"), ...purposeOf(form) });
}
