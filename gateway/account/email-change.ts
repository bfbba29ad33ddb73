import { Code } from "@connectrpc/connect";
import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import { readEmailAddress } from "../../common/platform/names/email-address.ts";
import { CodeResult } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { codeField, codeRefusal, enteredCode, overText, refusedCodeError } from "../sign-in/code-page.ts";
import { END_TOKENS, endTokensField, isEndTokensKept, wantsTokensEnded } from "../sign-in/end-tokens-field.ts";
import { type CodeState, codeSent, NEXT_CODE_SCRIPT, nextCode, readCodeState } from "../sign-in/next-code.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { EMAIL_ATTRIBUTES, enteredEmail, isEmailLike } from "../web/pages/email-entry.ts";
import { failureText } from "../web/pages/failure.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../web/pages/fields.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import { type Html, type Page, showPage } from "../web/pages/layout.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import { sessionForm } from "../web/pages/session-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { isRefused } from "../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { requirePasskeySession } from "../web/sessions/passkey-session.ts";
import { noteForm, redirectRefused, shownRefusal } from "../web/sessions/refused-steps.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import type { Refusal } from "../web/sessions/sealed-refusal.ts";
import { orSignIn, requireSession } from "../web/sessions/session.ts";
import type { Texts } from "../web/texts/en.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { accountUrl } from "./base/account-url.ts";
import { isDuringOperatorRecovery } from "./recovery/operator-recovery.ts";

const NEXT = "email";
const EMAIL_FORM = "change e-mail";
const EMAIL_CODE_FORM = "change e-mail code";

/** `GET /account/email` */
export async function showEmailChange(c: AuthContext, dependencies: AuthDependencies) {
  const { account, sessionToken } = await requirePasskeySession(c, dependencies, NEXT);
  const language = requestLanguage(c.env.incoming);
  const refusal = shownRefusal(c, dependencies, sessionToken);
  const failure = failureText(refusal, language);
  const refused = refusal && {
    entered: refusal.values["email"] ?? "",
    ...(failure === undefined && { error: changeProblem(refusal, language) ?? TEXTS[language].signIn.emailError }),
  };
  return showPage(c, emailPage({ sessionToken, current: account.email, failure, ...refused }, language));
}

/** Returns the error about a change that isn't possible; undefined for a refusal with another reason. */
function changeProblem({ problem }: Refusal, language: Language): string | undefined {
  const { taken, recovering } = TEXTS[language].emailChange;
  return problem === "taken" ? taken : problem === "recovering" ? recovering : undefined;
}

/** `POST /account/email`: sends the code to the new address. */
export async function beginEmailChange(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies } = dependencies;
  const sent = await sessionForm(c, dependencies, EMAIL_FORM, NEXT, ["email"]);
  const { form } = sent;
  // The page for the code has the form, too.
  if (form.has("sign_in"))
    noteForm(c, { address: codeAddress(form.text("sign_in")), secret: sent.sessionToken, values: {} });
  const { sessionToken } = await requirePasskeySession(c, dependencies, NEXT);
  const entered = enteredEmail(form);
  const step = { secret: sessionToken, address: AUTH_PATHS.email };
  const refuse = (problem: string) => redirectRefused(c, dependencies, step, { problem, values: { email: entered } });
  if (!isEmailLike(entered)) return refuse("email");
  try {
    const browserToken = cookies.ensureBrowserToken(c);
    const request = { sessionToken, email: entered, browserToken, peer: peerOf(c, dependencies) };
    const { signInHandle: handle } = await orSignIn(() => clients.accounts.beginEmailChange(request), NEXT);
    cookies.setPendingSignIn(c, { handle, email: entered });
    return c.redirect(codeAddress(handle), 303);
  } catch (error) {
    if (isRefused(error, Code.InvalidArgument)) return refuse("email");
    if (isRefused(error, Code.AlreadyExists)) return refuse("taken");
    if (isDuringOperatorRecovery(error)) return refuse("recovering");
    throw error;
  }
}

/** `GET /account/email/code` */
export async function showEmailCode(c: AuthContext, dependencies: AuthDependencies) {
  const { sessionToken } = await requireSession(c, dependencies, NEXT);
  const signIn = c.req.query("sign_in") ?? "";
  const language = requestLanguage(c.env.incoming);
  const refusal = shownRefusal(c, dependencies, sessionToken);
  const { consents } = await orSignIn(() => dependencies.clients.accounts.listConsents({ sessionToken }), NEXT);
  const browserToken = dependencies.cookies.ensureBrowserToken(c);
  const signInOfPage = { signIn, browserToken, sessionToken };
  const state = await orSignIn(() => readCodeState(c, dependencies, signInOfPage), NEXT);
  // The change is complete: the page was reloaded, or another tab has made it.
  const isComplete = state.isOver && state.email === undefined;
  if (isComplete && refusal === undefined) return c.redirect(AUTH_PATHS.account, 303);
  const view = {
    sessionToken,
    signIn,
    state,
    hasApplications: consents.length > 0,
    ...(refusal && refusedCode(refusal, state, language)),
  };
  return showPage(c, emailCodePage(view, language));
}

/** Returns what the page for the code shows of a refused form. */
function refusedCode(
  refusal: Refusal,
  state: CodeState,
  language: Language,
): Pick<EmailCodeView, "error" | "failure" | "state" | "endTokens"> {
  const failure = failureText(refusal, language);
  const problem = changeProblem(refusal, language);
  return {
    ...(failure === undefined ? { error: problem ?? refusedCodeError(refusal, state, language) } : { failure }),
    // Another code for this address wouldn't change it either.
    state: problem === undefined ? state : { ...state, isOver: true, email: undefined },
    endTokens: isEndTokensKept(refusal),
  };
}

/** `POST /account/email/code`: changes the address. */
export async function completeEmailChange(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies } = dependencies;
  const { form, sessionToken } = await sessionForm(c, dependencies, EMAIL_CODE_FORM, NEXT);
  const signIn = form.text("sign_in");
  const endTokens = wantsTokensEnded(form);
  const step = { secret: sessionToken, address: codeAddress(signIn) };
  const values = form.values([END_TOKENS]);
  noteForm(c, { ...step, values });
  const browserToken = cookies.ensureBrowserToken(c);
  const request = {
    sessionToken,
    signInHandle: signIn,
    browserToken,
    code: enteredCode(form),
    knownBrowser: cookies.knownBrowser(c),
    endTokens,
    peer: peerOf(c, dependencies),
  };
  try {
    const answer = await orSignIn(() => clients.accounts.completeEmailChange(request), NEXT);
    if (answer.result !== CodeResult.CORRECT) {
      const isChanged = answer.result === CodeResult.NEW_CODE_REQUIRED && (await hasAddressOf(form, c, dependencies));
      if (isChanged) return c.redirect(accountUrl("email-changed"), 303);
      return redirectRefused(c, dependencies, step, codeRefusal(answer, values));
    }
    cookies.setKnownBrowser(c, answer.knownBrowser);
  } catch (error) {
    const isRecovering = isDuringOperatorRecovery(error);
    if (!isRecovering && !isRefused(error, Code.AlreadyExists)) throw error;
    return redirectRefused(c, dependencies, step, { problem: isRecovering ? "recovering" : "taken", values });
  }
  cookies.clearPendingSignIn(c);
  return c.redirect(accountUrl("email-changed"), 303);
}

/** Whether the account has the address that the code was for: the form was sent twice, for example by a second click. */
async function hasAddressOf(form: PageForm, c: AuthContext, dependencies: AuthDependencies): Promise<boolean> {
  const { account } = await requireSession(c, dependencies, NEXT);
  return readEmailAddress(form.text("email")) === account.email;
}

function codeAddress(signIn: string): string {
  return `${AUTH_PATHS.emailCode}?${new URLSearchParams({ sign_in: signIn })}`;
}

interface EmailView {
  readonly sessionToken: string;
  /** The address that the account has now. */
  readonly current: string;
  readonly entered?: string;
  readonly error?: string;
  /** The failure that the form met, of which the address isn't the cause. */
  readonly failure: string | undefined;
}

/** Returns the page that asks for another e-mail address. */
function emailPage({ sessionToken, current, entered = "", error, failure }: EmailView, language: Language): Page {
  const texts = TEXTS[language];
  const { title, text, label, hint } = texts.emailChange;
  const address = html`<strong><bdi>${current}</bdi></strong>`;
  const problem = failure ?? error;
  return {
    title: titleWith(title, problem, texts),
    language,
    address: AUTH_PATHS.email,
    status: problem === undefined ? 200 : 422,
    content: html`${errorSummary(problem, error && "email", texts)}
<h1>${title}</h1>
<p>${fillHtml(text, { address })}</p>
<form method="post" action="${AUTH_PATHS.email}" novalidate>
${hiddenFields(EMAIL_FORM, sessionToken)}
${textField({
  id: "email",
  name: "email",
  label,
  hint: html`${hint}`,
  value: entered,
  error,
  attributes: html`${EMAIL_ATTRIBUTES} autocomplete="email" autofocus`,
})}
<button class="primary">${texts.signIn.send}</button>
</form>
${back(texts)}`,
  };
}

interface EmailCodeView {
  readonly sessionToken: string;
  readonly signIn: string;
  readonly state: CodeState;
  /** Whether any application has access, which can be ended. */
  readonly hasApplications: boolean;
  /** Whether the user wanted to end it when the code was wrong. */
  readonly endTokens?: boolean;
  readonly error?: string | undefined;
  /** The failure that the form met, of which the code isn't the cause. */
  readonly failure?: string | undefined;
}

/** Returns the page that asks for the code that was sent to the new address. */
function emailCodePage(view: EmailCodeView, language: Language): Page {
  const { signIn, state, error, failure } = view;
  const { isOver } = state;
  const texts = TEXTS[language];
  const title = isOver ? texts.code.overTitle : texts.code.title;
  const problem = failure ?? error;
  return {
    title: titleWith(title, problem, texts),
    language,
    address: codeAddress(signIn),
    status: problem === undefined ? 200 : 422,
    script: NEXT_CODE_SCRIPT,
    content: html`${errorSummary(problem, isOver || error === undefined ? undefined : "code", texts)}
<h1>${title}</h1>
${isOver ? overWays(view, language) : emailCodeForm(view, language)}
<p class="aside"><a href="${AUTH_PATHS.account}">${texts.account.back}</a></p>`,
  };
}

/** Returns the ways on from where no code completes the change: another code where the address is known, and another address. */
function overWays(view: EmailCodeView, language: Language): Html {
  const { state, error } = view;
  const texts = TEXTS[language];
  const { enterAgain } = texts.emailChange;
  if (state.email === undefined) {
    return html`${overText(error, texts)}
<p><a class="button primary" href="${AUTH_PATHS.email}">${enterAgain}</a></p>`;
  }
  return html`${overText(error, texts)}
<div class="ways">
${anotherCode(view, language)}
<p><a href="${AUTH_PATHS.email}">${enterAgain}</a></p>
</div>`;
}

function emailCodeForm(view: EmailCodeView, language: Language): Html {
  const { sessionToken, signIn, state, hasApplications, endTokens, error } = view;
  const texts = TEXTS[language];
  return html`${codeSent(state, language)}
<form method="post" action="${AUTH_PATHS.emailCode}">
${hiddenFields(EMAIL_CODE_FORM, sessionToken, { sign_in: signIn, email: state.email ?? "" })}
${codeField(error, texts)}
${hasApplications && endTokensField(texts, endTokens)}
<button class="primary">${texts.emailChange.change}</button>
</form>
<div class="aside">
<p class="quiet">${texts.code.none}</p>
${anotherCode(view, language)}
</div>`;
}

function anotherCode({ sessionToken, signIn, state }: EmailCodeView, language: Language): Html | undefined {
  if (state.email === undefined) return undefined;
  const fields = hiddenFields(EMAIL_FORM, sessionToken, { sign_in: signIn, email: state.email });
  return nextCode(state, { action: AUTH_PATHS.email, fields }, language);
}

function back({ account }: Texts): Html {
  return html`<p class="aside"><a href="${AUTH_PATHS.account}">${account.back}</a></p>`;
}
