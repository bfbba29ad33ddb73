import { Code } from "@connectrpc/connect";
import { authorizationUrl, currentStep, followStep } from "../sign-in/authorization-step.ts";
import { signInPage } from "../sign-in/sign-in-page.ts";
import { signInError } from "../sign-in/sign-in-refusal.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { isEmailLike } from "../web/pages/email-entry.ts";
import { guardedForm } from "../web/pages/form-guard.ts";
import { keepAskedLanguage } from "../web/pages/language-answer.ts";
import { showPage } from "../web/pages/layout.ts";
import { PageError } from "../web/pages/page-error.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { isRefused } from "../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { canHavePasskeys } from "../web/sessions/passkey-host.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { CHOOSE_ACCOUNT_FORM, chooseAccountPage } from "./choose-account-page.ts";
import { CONSENT_FORM, consentPage } from "./consent-page.ts";
import { entityChoice, saveEntityChoice } from "./entity-choice.ts";
import { fieldsForAddress, queryParameters } from "./parameters.ts";

/** Bounds of the contract for what the consent page sends. */
const MAX_SCOPES = 32;
const MAX_SCOPE_CHARACTERS = 64;

/** `GET /oauth/authorize` (RFC 6749 section 4.1.1). */
export async function beginAuthorization(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies, config } = dependencies;
  const parameters = queryParameters(c);
  const { step, uiLocales } = await clients.authorization.beginAuthorization({
    parameters,
    browserToken: cookies.ensureBrowserToken(c),
    sessionToken: cookies.sessionToken(c) ?? "",
    peer: peerOf(c, dependencies),
  });
  // The parameters of a pushed request are the only ones that count.
  const isPushed = parameters.some(({ name }) => name === "request_uri");
  const asked = isPushed ? uiLocales : (c.req.query("ui_locales") ?? "");
  keepAskedLanguage(c, asked, config.authUrl.startsWith("https:"));
  return followStep(c, step?.step ?? { case: undefined });
}

/** `POST /oauth/authorize` (OpenID Connect Core section 3.1.2.1): leads to the same request by GET. */
export async function beginAuthorizationByForm(c: AuthContext) {
  return c.redirect(`${AUTH_PATHS.authorize}?${await fieldsForAddress(c)}`, 303);
}

/** `GET /oauth/continue`: the page of an authorization under way. */
export async function continueAuthorization(c: AuthContext, dependencies: AuthDependencies) {
  const step = await currentStep(c, dependencies, c.req.query("authorization") ?? "");
  const language = requestLanguage(c.env.incoming);
  if (step.case === "signIn") {
    const { authorizationHandle: authorization, client, loginHint } = step.value;
    const browserToken = dependencies.cookies.ensureBrowserToken(c);
    const view = {
      authorization,
      next: "",
      client,
      browserToken,
      email: isEmailLike(loginHint) ? loginHint : "",
      hasPasskeys: canHavePasskeys(dependencies.config.authUrl),
      ...signInError(c, dependencies, browserToken, TEXTS[language]),
    };
    return showPage(c, signInPage(view, language));
  }
  if (step.case === "chooseAccount") {
    const sessionToken = dependencies.cookies.sessionToken(c) ?? "";
    return showPage(c, chooseAccountPage({ ...step.value, sessionToken }, language));
  }
  if (step.case !== "consent") return followStep(c, step);
  const { client } = step.value;
  if (client === undefined) throw new TypeError("ConsentStep.client is missing");
  const sessionToken = dependencies.cookies.sessionToken(c) ?? "";
  const choice = await entityChoice(step.value, dependencies, sessionToken);
  return showPage(c, consentPage({ ...step.value, client, sessionToken, choice }, language));
}

/** `POST /oauth/choose-account`: the user goes on with the account of the session. */
export async function chooseAccount(c: AuthContext, dependencies: AuthDependencies) {
  const { answer } = await answerForm(c, dependencies, CHOOSE_ACCOUNT_FORM);
  const { step } = await orTampered(() => dependencies.clients.authorization.chooseAccount(answer));
  return followStep(c, step?.step ?? { case: undefined });
}

/** `POST /oauth/consent`: the user's answer. */
export async function decideConsent(c: AuthContext, dependencies: AuthDependencies) {
  const { form, answer } = await answerForm(c, dependencies, CONSENT_FORM);
  const scopes = form.all("scope");
  const decision = form.text("decision");
  if (decision !== "allow" && decision !== "cancel") throw tampered();
  if (scopes.length > MAX_SCOPES || scopes.some((scope) => scope.length > MAX_SCOPE_CHARACTERS)) throw tampered();
  const request = { ...answer, approve: decision === "allow", scopes };
  if (request.approve) await saveChoice(c, dependencies, form, request);
  const { step } = await orTampered(() => dependencies.clients.authorization.decideConsent(request));
  return followStep(c, step?.step ?? { case: undefined });
}

/** Reads the form of a page of an authorization. @returns it, and what the RPCs about every answer of the user take */
async function answerForm(c: AuthContext, dependencies: AuthDependencies, purpose: string) {
  const { cookies } = dependencies;
  const sessionToken = cookies.sessionToken(c);
  const form = await guardedForm(c, dependencies, {
    purpose,
    secret: sessionToken,
    link: (sent) => ({ href: authorizationUrl(sent.text("authorization")), text: ({ form }) => form.showAgain }),
  });
  const answer = {
    authorizationHandle: form.text("authorization"),
    browserToken: cookies.browserToken(c) ?? "",
    sessionToken: sessionToken ?? "",
    accountUuid: form.text("account"),
    peer: peerOf(c, dependencies),
  };
  return { form, answer };
}

/** Stores which entities the user leaves out, of the client that the authorization itself names. */
async function saveChoice(
  c: AuthContext,
  dependencies: AuthDependencies,
  form: PageForm,
  {
    authorizationHandle,
    accountUuid,
    sessionToken,
  }: Record<"authorizationHandle" | "accountUuid" | "sessionToken", string>,
): Promise<void> {
  if (dependencies.entitiesUpstream === undefined || form.all("listed").length === 0) return;
  const step = await currentStep(c, dependencies, authorizationHandle);
  // Any other step is answered by the decision itself, which then stores nothing either.
  if (step.case !== "consent" || step.value.accountUuid !== accountUuid) return;
  await saveEntityChoice(step.value, form, dependencies, sessionToken);
}

async function orTampered<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (isRefused(error, Code.InvalidArgument)) throw tampered();
    throw error;
  }
}

function tampered(): PageError {
  return new PageError(
    400,
    ({ authorization }) => authorization.tamperedTitle,
    ({ authorization }) => authorization.tamperedText,
  );
}
