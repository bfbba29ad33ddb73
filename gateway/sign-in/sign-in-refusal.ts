import type { AuthContext } from "../web/http/hono-context.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { redirectRefused, type StepPage, shownRefusal } from "../web/sessions/refused-steps.ts";
import type { Refusal } from "../web/sessions/sealed-refusal.ts";
import type { Texts } from "../web/texts/en.ts";
import { passkeyProblemText } from "./passkey-problem.ts";
import { flagsOf, type SignInView, signInAddress } from "./sign-in-page.ts";
import { purposeOf } from "./start-session.ts";

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
  return redirectRefused(c, dependencies, { ...signInStep(browserToken), address: addressOfForm(form) }, refusal);
}

/** Returns the error that the sign-in page shows, with the entered address; nothing where no form of it was refused. */
export function signInError(
  c: AuthContext,
  dependencies: AuthDependencies,
  browserToken: string,
  texts: Texts,
): Pick<SignInView, "email" | "error" | "passkeyError"> {
  const refusal = shownRefusal(c, dependencies, signInStep(browserToken));
  if (refusal === undefined) return {};
  const passkeyError = passkeyProblemText(refusal.problem, texts);
  if (passkeyError !== undefined) return { passkeyError };
  return { email: refusal.values["email"] ?? "", error: texts.signIn.emailError };
}

function signInStep(secret: string): StepPage {
  return { page: "sign-in", secret };
}
