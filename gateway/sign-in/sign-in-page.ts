import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { RequestingClient } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { EMAIL_ATTRIBUTES } from "../web/pages/email-entry.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../web/pages/fields.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import { PASSKEY_SCRIPT, passkeyForm } from "../web/pages/passkey-form.ts";
import { clientLine, formTargetsOf, testNotice } from "../web/pages/requesting-application.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { signInUrl } from "../web/sessions/session.ts";
import type { Texts } from "../web/texts/en.ts";
import { TEXTS } from "../web/texts/texts.ts";

export const SIGN_IN_FORM = "sign-in";
export const PASSKEY_SIGN_IN_FORM = "passkey sign-in";

/** The target of a sign-in. */
export interface SignInPurpose {
  /** Handle of the authorization that it belongs to; empty for none. */
  readonly authorization: string;
  /** Page that it leads to, as `nextPath` knows it; empty for the account itself. */
  readonly next: string;
  readonly client?: RequestingClient | undefined;
}

export interface SignInView extends SignInPurpose {
  readonly browserToken: string;
  readonly email?: string;
  /** The mistake in the address. */
  readonly error?: string;
  /** The reason why a passkey didn't sign the user in. */
  readonly passkeyError?: string;
  /** The failure that the form met, of which nothing that was entered is the cause. */
  readonly failure?: string;
  /** Whether `AUTH_URL` can have passkeys. */
  readonly hasPasskeys: boolean;
  /** Whether the user is signed in already, but not recently enough. */
  readonly isRepeated?: boolean;
  /** Whether only a passkey will do. */
  readonly needsPasskey?: boolean;
}

/** Returns the page that asks for the e-mail address. */
export function signInPage(view: SignInView, language: Language): Page {
  const { client, error, passkeyError, hasPasskeys, authorization, next } = view;
  const texts = TEXTS[language];
  const { signIn } = texts;
  const problem = error ?? view.failure ?? (passkeyError && `${passkeyError} ${signIn.orByCode}`);
  if (view.needsPasskey && hasPasskeys) return passkeyOnlyPage(view, language);
  const title = view.isRepeated ? signIn.repeatedTitle : signIn.title;
  return {
    title: titleWith(title, problem, texts),
    language,
    address: signInAddress(view),
    formTargets: authorization === "" ? "self" : formTargetsOf(client),
    notice: testNotice(client, texts),
    status: problem === undefined ? 200 : 422,
    ...(hasPasskeys && { script: PASSKEY_SCRIPT }),
    content: html`${errorSummary(problem, error && "email", texts)}
<h1>${title}</h1>
${client && clientLine(signIn.continueTo, client)}
${view.isRepeated && html`<p>${signIn.repeatedText}</p>`}
<form method="post" action="${AUTH_PATHS.signIn}" novalidate>
${hiddenFields(SIGN_IN_FORM, view.browserToken, { authorization, next, ...flagFields(view) })}
${textField({
  id: "email",
  name: "email",
  label: signIn.email,
  hint: html`${signIn.emailHint}`,
  value: view.email ?? "",
  error,
  attributes: html`${EMAIL_ATTRIBUTES} autocomplete="username webauthn" autofocus`,
})}
<button class="primary">${signIn.send}</button>
</form>
${hasPasskeys && passkeySignIn(view, texts)}`,
  };
}

/** Returns the page that asks for a passkey, and for nothing else. */
function passkeyOnlyPage(view: SignInView, language: Language): Page {
  const texts = TEXTS[language];
  const { signIn, passkeys, recovery, account } = texts;
  const problem = view.failure ?? view.passkeyError;
  return {
    title: titleWith(signIn.passkeyTitle, problem, texts),
    language,
    address: signInAddress(view),
    status: problem === undefined ? 200 : 422,
    script: PASSKEY_SCRIPT,
    content: html`${errorSummary(problem, undefined, texts)}
<h1>${signIn.passkeyTitle}</h1>
<p>${signIn.passkeyText}</p>
${passkeySignIn(view, texts, true)}
<p class="without-script quiet">${passkeys.needsScript}</p>
<div class="aside"><p><a href="${AUTH_PATHS.recovery}">${recovery.lostLink}</a></p>
<p><a href="${AUTH_PATHS.account}">${account.back}</a></p></div>`,
  };
}

/** @param isOnly whether it is the only way to sign in */
function passkeySignIn(view: SignInView, texts: Texts, isOnly = false): Html {
  const { browserToken, authorization, next } = view;
  return passkeyForm(
    {
      kind: "sign-in",
      action: AUTH_PATHS.passkeySignIn,
      question: AUTH_PATHS.passkeySignInQuestion,
      fields: hiddenFields(PASSKEY_SIGN_IN_FORM, browserToken, { authorization, next, ...flagFields(view) }),
      button: texts.signIn.withPasskey,
      isPrimary: isOnly,
      isAside: !isOnly,
    },
    texts,
  );
}

type Flags = Pick<SignInView, "isRepeated" | "needsPasskey">;

function flagFields({ isRepeated = false, needsPasskey = false }: Flags) {
  return { again: isRepeated ? "yes" : "", passkey: needsPasskey ? "yes" : "" };
}

/** Reads from a form which kind of sign-in its page asked for. */
export function flagsOf(form: PageForm): Required<Flags> {
  return { isRepeated: form.text("again") === "yes", needsPasskey: form.text("passkey") === "yes" };
}

/** Returns the address of the page that asks for the e-mail address. */
export function signInAddress({
  authorization,
  next,
  isRepeated = false,
  needsPasskey = false,
}: Pick<SignInView, "authorization" | "next" | "isRepeated" | "needsPasskey">): string {
  if (authorization !== "") return `${AUTH_PATHS.continue}?${new URLSearchParams({ authorization })}`;
  return signInUrl({ next, isRepeated, needsPasskey });
}
