import { PasskeyResult } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import { browserForm } from "./browser-form.ts";
import { passkeyProblem } from "./passkey-problem.ts";
import { PASSKEY_SIGN_IN_FORM } from "./sign-in-page.ts";
import { addressOfForm, refuseSignIn } from "./sign-in-refusal.ts";
import { purposeOf, startSession, targetOf } from "./start-session.ts";

/** `POST /sign-in/passkey/question`: what the page's script asks a passkey. */
export async function askForSignIn(c: AuthContext, dependencies: AuthDependencies) {
  const options = { purpose: PASSKEY_SIGN_IN_FORM, address: addressOfForm, kept: "script" } as const;
  const { browserToken } = await browserForm(c, dependencies, options);
  const request = { browserToken, peer: peerOf(c, dependencies) };
  const { optionsJson } = await dependencies.clients.accounts.beginPasskeySignIn(request);
  return answerQuestion(c, optionsJson);
}

/** `POST /sign-in/passkey`: starts the session. */
export async function signInByPasskey(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies } = dependencies;
  const options = { purpose: PASSKEY_SIGN_IN_FORM, address: addressOfForm, kept: [] };
  const { form, browserToken } = await browserForm(c, dependencies, options);
  const answer = await clients.accounts.completePasskeySignIn({
    browserToken,
    credentialJson: form.text("credential"),
    previousSessionToken: cookies.sessionToken(c) ?? "",
    knownBrowser: cookies.knownBrowser(c),
    peer: peerOf(c, dependencies),
  });
  if (answer.result === PasskeyResult.ACCEPTED) {
    startSession(c, dependencies, answer);
    return c.redirect(targetOf(purposeOf(form)), 303);
  }
  return refuseSignIn(c, dependencies, { form, browserToken }, { problem: passkeyProblem(answer.result), values: {} });
}

/** Answers the question for a passkey, as the auth service has made it, to the script of a page. */
export function answerQuestion(c: AuthContext, optionsJson: string): Response {
  return c.body(optionsJson, 200, { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff" });
}
