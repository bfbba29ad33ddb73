import { PasskeyResult } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { showPage } from "../web/pages/layout.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import type { Texts } from "../web/texts/en.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { signInTarget } from "./authorization-step.ts";
import { browserForm } from "./browser-form.ts";
import { PASSKEY_SIGN_IN_FORM, signInPage } from "./sign-in-page.ts";
import { purposeOf, startSession, targetOf } from "./start-session.ts";

/** `POST /sign-in/passkey/question`: what the page's script asks a passkey. */
export async function askForSignIn(c: AuthContext, dependencies: AuthDependencies) {
  const { browserToken } = await browserForm(c, dependencies, PASSKEY_SIGN_IN_FORM);
  const request = { browserToken, peer: peerOf(c, dependencies) };
  const { optionsJson } = await dependencies.clients.accounts.beginPasskeySignIn(request);
  return answerQuestion(c, optionsJson);
}

/** `POST /sign-in/passkey`: starts the session. */
export async function signInByPasskey(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies } = dependencies;
  const { form, browserToken } = await browserForm(c, dependencies, PASSKEY_SIGN_IN_FORM);
  const answer = await clients.accounts.completePasskeySignIn({
    browserToken,
    credentialJson: form.text("credential"),
    previousSessionToken: cookies.sessionToken(c) ?? "",
    knownBrowser: cookies.knownBrowser(c),
    peer: peerOf(c, dependencies),
  });
  const purpose = purposeOf(form);
  if (answer.result === PasskeyResult.ACCEPTED) {
    startSession(c, dependencies, answer);
    return c.redirect(targetOf(purpose), 303);
  }
  const { client, nextStep } = await signInTarget(c, dependencies, purpose.authorization);
  if (nextStep !== undefined) return nextStep;
  const language = requestLanguage(c.env.incoming);
  const passkeyError = passkeyProblem(answer.result, TEXTS[language]);
  return showPage(c, signInPage({ ...purpose, client, browserToken, passkeyError, hasPasskeys: true }, language));
}

/** Answers the question for a passkey, as the auth service has made it, to the script of a page. */
export function answerQuestion(c: AuthContext, optionsJson: string): Response {
  return c.body(optionsJson, 200, { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff" });
}

/** Returns the text about a passkey that wasn't accepted. */
export function passkeyProblem(result: PasskeyResult, { passkeyProblem: problem }: Texts): string {
  switch (result) {
    case PasskeyResult.QUESTION_OVER:
      return problem.over;
    case PasskeyResult.UNKNOWN:
      return problem.unknown;
    case PasskeyResult.COPY_SUSPECTED:
      return problem.copy;
    case PasskeyResult.ALREADY_ADDED:
      return problem.already;
    case PasskeyResult.TOO_MANY:
      return problem.tooMany;
    default:
      return problem.refused;
  }
}
