import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { failureText } from "../web/pages/failure.ts";
import { errorSummary, hiddenFields, titleWith } from "../web/pages/fields.ts";
import { formOfOwnPage, showAgainLink } from "../web/pages/form-guard.ts";
import { type Page, showPage } from "../web/pages/layout.ts";
import { type PageForm, pageForm } from "../web/pages/page-form.ts";
import { PASSKEY_SCRIPT, passkeyForm } from "../web/pages/passkey-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { redirectRefused, shownRefusal } from "../web/sessions/refused-steps.ts";
import { requireSession } from "../web/sessions/session.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { type PasskeyProblem, passkeyProblemText } from "./passkey-problem.ts";
import { type CarriedPurpose, knownNext, purposeOf, targetOf } from "./start-session.ts";

/** `GET /account/passkeys/offer` */
export async function showOffer(c: AuthContext, dependencies: AuthDependencies) {
  const { sessionToken } = await requireSession(c, dependencies);
  const language = requestLanguage(c.env.incoming);
  const refusal = shownRefusal(c, dependencies, sessionToken);
  const error = failureText(refusal, language) ?? passkeyProblemText(refusal?.problem ?? "", TEXTS[language]);
  const purpose = { authorization: c.req.query("authorization") ?? "", next: knownNext(c.req.query("next") ?? "") };
  return showPage(c, offerPage({ ...purpose, sessionToken, error }, language));
}

/** Answers a passkey that wasn't accepted: leads back to the offer. */
export function refuseOffered(
  c: AuthContext,
  dependencies: AuthDependencies,
  { sessionToken, ...purpose }: CarriedPurpose & { readonly sessionToken: string },
  problem: PasskeyProblem,
): Response {
  const step = { address: offerAddress(purpose), secret: sessionToken };
  return redirectRefused(c, dependencies, step, { problem, values: {} });
}

/** `POST /account/passkeys/offer`: not now. The sign-in goes on where it would have gone. */
export async function declineOffer(c: AuthContext, dependencies: AuthDependencies) {
  // It only goes on, so it needs no session: where that has ended, the target leads to a sign-in and back.
  const link = (sent: PageForm) => showAgainLink(offerAddress(purposeOf(sent)));
  const form = await formOfOwnPage(c, dependencies, { link }, pageForm);
  dependencies.cookies.setDeclinedPasskey(c);
  return c.redirect(targetOf(purposeOf(form)), 303);
}

/** Purpose of the form that adds a passkey, here and on the page of all passkeys. */
export const ADD_PASSKEY_FORM = "add passkey";
const DECLINE_FORM = "decline passkey";

interface OfferView extends CarriedPurpose {
  readonly sessionToken: string;
  readonly error: string | undefined;
}

/** Returns the page that offers a passkey to somebody who has signed in by a code. */
function offerPage({ sessionToken, authorization, next, error }: OfferView, language: Language): Page {
  const texts = TEXTS[language];
  const { title, text, later, add } = texts.passkeyOffer;
  const purpose = { authorization, next };
  return {
    title: titleWith(title, error, texts),
    language,
    address: offerAddress(purpose),
    // An application that the user has let in before gets its answer in the same chain of redirects.
    formTargets: authorization === "" ? "self" : "https",
    status: error === undefined ? 200 : 422,
    script: PASSKEY_SCRIPT,
    content: html`${errorSummary(error, undefined, texts)}
<h1>${title}</h1>
<p>${text}</p>
${passkeyForm(
  {
    kind: "add",
    action: AUTH_PATHS.passkeys,
    question: AUTH_PATHS.passkeyQuestion,
    fields: hiddenFields(ADD_PASSKEY_FORM, sessionToken, { offered: "yes", ...purpose }),
    button: add,
    isPrimary: true,
  },
  texts,
)}
<form method="post" action="${AUTH_PATHS.passkeyOffer}">${hiddenFields(DECLINE_FORM, sessionToken, purpose)}<button class="secondary">${later}</button></form>`,
  };
}

/** Returns the address of the page. */
export function offerAddress({ authorization, next }: CarriedPurpose): string {
  const values = Object.entries({ authorization, next }).filter(([, value]) => value !== "");
  return values.length === 0 ? AUTH_PATHS.passkeyOffer : `${AUTH_PATHS.passkeyOffer}?${new URLSearchParams(values)}`;
}

/** Whether the script of the page for a code has found that this device could keep a passkey. */
export function wantsOffer(form: PageForm): boolean {
  return form.text("passkeys") === "possible";
}
