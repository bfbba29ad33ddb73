import type { Language } from "../../common/platform/language/language.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { failureText } from "../web/pages/failure.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { redirectRefused, shownRefusal } from "../web/sessions/refused-steps.ts";
import type { Refusal } from "../web/sessions/sealed-refusal.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { passkeyProblemText } from "./passkey-problem.ts";
import { flagsOf, type SignInView, signInAddress } from "./sign-in-page.ts";
import { purposeOf } from "./start-session.ts";

/** Name of the problem with an address that is none. */
export const BAD_EMAIL = "email";

/** Returns the address of the page that a form of the sign-in page is on. */
export function addressOfForm(form: PageForm): string {
  return signInAddress({ ...purposeOf(form), ...flagsOf(form) });
}

/** Answers a form of the sign-in page that was refused: leads back to the page. */
export function refuseSignIn(
  c: AuthContext,
  dependencies: AuthDependencies,
  { form, browserToken }: { readonly form: PageForm; readonly browserToken: string },
  refusal: Refusal,
): Response {
  return redirectRefused(c, dependencies, { address: addressOfForm(form), secret: browserToken }, refusal);
}

/** Returns what the sign-in page shows of a form of it that was refused or has failed, with the entered address; nothing without one. */
export function signInError(
  c: AuthContext,
  dependencies: AuthDependencies,
  browserToken: string,
  language: Language,
): Pick<SignInView, "email" | "error" | "passkeyError" | "failure"> {
  const refusal = shownRefusal(c, dependencies, browserToken);
  if (refusal === undefined) return {};
  const texts = TEXTS[language];
  const passkeyError = passkeyProblemText(refusal.problem, texts);
  if (passkeyError !== undefined) return { passkeyError };
  const { email } = refusal.values;
  const failure = failureText(refusal, language);
  if (failure !== undefined) return { ...(email !== undefined && { email }), failure };
  // Another page of an authorization can have been at the same address.
  return refusal.problem === BAD_EMAIL ? { email: email ?? "", error: texts.signIn.emailError } : {};
}
