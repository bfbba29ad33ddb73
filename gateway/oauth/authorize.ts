import { parseUuid } from "../../common/platform/encoding/uuid.ts";
import { currentStep, followStep } from "../sign-in/authorization-step.ts";
import { signInPage } from "../sign-in/sign-in-page.ts";
import { signInError } from "../sign-in/sign-in-refusal.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { isEmailLike } from "../web/pages/email-entry.ts";
import { REPEATS } from "../web/pages/error-page.ts";
import { keepAskedLanguage } from "../web/pages/language-answer.ts";
import { showPage } from "../web/pages/layout.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { canHavePasskeys } from "../web/sessions/passkey-host.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { refusedAnswer } from "./answer-forms.ts";
import { chooseAccountPage } from "./choose-account-page.ts";
import { consentPage } from "./consent-page.ts";
import { entityChoice } from "./entity-choice.ts";
import { keepEntities, keepScopes } from "./kept-answer.ts";
import { fieldsForAddress, queryParameters } from "./parameters.ts";

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
  if (step?.step.case !== "error") keepSender(c, dependencies);
  // The parameters of a pushed request are the only ones that count.
  const isPushed = parameters.some(({ name }) => name === "request_uri");
  const asked = isPushed ? uiLocales : (c.req.query("ui_locales") ?? "");
  keepAskedLanguage(c, asked, config.authUrl.startsWith("https:"));
  return followStep(c, step?.step ?? { case: undefined });
}

/** Remembers which application sends the user here, for the way back from the account. */
function keepSender(c: AuthContext, { cookies }: AuthDependencies): void {
  const uuid = parseUuid(c.req.query("client_id") ?? "");
  const origin = URL.parse(c.req.query("redirect_uri") ?? "")?.origin ?? "";
  if (uuid !== undefined) cookies.setSender(c, { uuid, origin });
}

/** `POST /oauth/authorize` (OpenID Connect Core section 3.1.2.1): leads to the same request by GET. */
export async function beginAuthorizationByForm(c: AuthContext) {
  return c.redirect(`${AUTH_PATHS.authorize}?${await fieldsForAddress(c)}`, 303);
}

/** `GET /oauth/continue`: the page of an authorization under way. */
export async function continueAuthorization(c: AuthContext, dependencies: AuthDependencies) {
  const [handle = "", repeats] = [c.req.query("authorization"), c.req.query(REPEATS) === "1"];
  const step = await currentStep(c, dependencies, handle, { repeats });
  if (repeats) return followStep(c, step, handle);
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
      ...signInError(c, dependencies, browserToken, language),
    };
    return showPage(c, signInPage(view, language));
  }
  if (step.case === "chooseAccount") {
    const sessionToken = dependencies.cookies.sessionToken(c) ?? "";
    const { error } = refusedAnswer(c, dependencies);
    return showPage(c, chooseAccountPage({ ...step.value, sessionToken, error }, language));
  }
  if (step.case !== "consent") return followStep(c, step);
  const { client } = step.value;
  if (client === undefined) throw new TypeError("ConsentStep.client is missing");
  const sessionToken = dependencies.cookies.sessionToken(c) ?? "";
  const { error, kept } = refusedAnswer(c, dependencies);
  const choice = keepEntities(await entityChoice(step.value, dependencies, sessionToken), kept);
  const scopes = keepScopes(step.value.scopes, kept);
  return showPage(c, consentPage({ ...step.value, client, scopes, sessionToken, choice, error }, language));
}
