import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import { codeField, codeSent } from "../sign-in/code-page.ts";
import { endTokensField } from "../sign-in/end-tokens-field.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../web/pages/fields.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import type { Texts } from "../web/texts/en.ts";
import { TEXTS } from "../web/texts/texts.ts";

export const EMAIL_FORM = "change e-mail";
export const EMAIL_CODE_FORM = "change e-mail code";

export interface EmailView {
  readonly sessionToken: string;
  /** The address that the account has now. */
  readonly current: string;
  readonly entered?: string;
  readonly error?: string;
}

/** Returns the page that asks for another e-mail address. */
export function emailPage({ sessionToken, current, entered = "", error }: EmailView, language: Language): Page {
  const texts = TEXTS[language];
  const { title, text, label, hint } = texts.emailChange;
  const address = html`<strong><bdi>${current}</bdi></strong>`;
  return {
    title: titleWith(title, error, texts),
    language,
    address: AUTH_PATHS.email,
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, "email", texts)}
<h1>${title}</h1>
<p>${fillHtml(text, { address })}</p>
<form method="post" action="${AUTH_PATHS.email}">
${hiddenFields(EMAIL_FORM, sessionToken)}
${textField({
  id: "email",
  name: "email",
  label,
  hint: html`${hint}`,
  value: entered,
  error,
  attributes: html`type="email" autocomplete="email" maxlength="254" autocapitalize="none" spellcheck="false"`,
})}
<button class="primary">${texts.signIn.send}</button>
</form>
${back(texts)}`,
  };
}

export interface EmailCodeView {
  readonly sessionToken: string;
  readonly signIn: string;
  readonly email: string | undefined;
  /** Whether any application has access, which can be ended. */
  readonly hasApplications: boolean;
  /** Whether the user wanted to end it when the code was wrong. */
  readonly endTokens?: boolean;
  readonly error?: string;
  /** Whether the code no longer counts. */
  readonly isOver?: boolean;
}

/** Returns the page that asks for the code that was sent to the new address. */
export function emailCodePage(view: EmailCodeView, language: Language): Page {
  const { sessionToken, signIn, email, hasApplications, endTokens, error, isOver = false } = view;
  const texts = TEXTS[language];
  const title = isOver ? texts.code.overTitle : texts.code.title;
  return {
    title: titleWith(title, error, texts),
    language,
    address: `${AUTH_PATHS.emailCode}?${new URLSearchParams({ sign_in: signIn })}`,
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, isOver ? undefined : "code", texts)}
<h1>${title}</h1>
${
  isOver
    ? html`<p><a class="button primary" href="${AUTH_PATHS.email}">${texts.emailChange.enterAgain}</a></p>`
    : html`${codeSent(email, texts)}
<form method="post" action="${AUTH_PATHS.emailCode}">
${hiddenFields(EMAIL_CODE_FORM, sessionToken, { sign_in: signIn })}
${codeField(error, texts)}
${hasApplications && endTokensField(texts, endTokens)}
<button class="primary">${texts.emailChange.change}</button>
</form>`
}
${back(texts)}`,
  };
}

function back({ account }: Texts): Html {
  return html`<p class="aside"><a href="${AUTH_PATHS.account}">${account.back}</a></p>`;
}
