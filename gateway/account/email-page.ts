import { html } from "hono/html";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../web/pages/fields.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import { codeField, codeSent } from "./code-page.ts";

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
export function emailPage({ sessionToken, current, entered = "", error }: EmailView): Page {
  const title = "Change your address";
  return {
    title: titleWith(title, error),
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, "email")}
<h1>${title}</h1>
<p>It is <strong><bdi>${current}</bdi></strong> now. You sign in with it, and applications that you share it with see it.</p>
<form method="post" action="${AUTH_PATHS.email}">
${hiddenFields(EMAIL_FORM, sessionToken)}
${textField({
  id: "email",
  name: "email",
  label: "New e-mail address",
  hint: html`We send a code there to confirm that it is yours.`,
  value: entered,
  error,
  attributes: html`type="email" autocomplete="email" maxlength="254" autocapitalize="none" spellcheck="false"`,
})}
<button class="primary">Send me a code</button>
</form>
${back()}`,
  };
}

export interface EmailCodeView {
  readonly sessionToken: string;
  readonly signIn: string;
  readonly email: string | undefined;
  readonly error?: string;
  /** Whether the code no longer counts. */
  readonly isOver?: boolean;
}

/** Returns the page that asks for the code that was sent to the new address. */
export function emailCodePage({ sessionToken, signIn, email, error, isOver = false }: EmailCodeView): Page {
  const title = isOver ? "Get a new code" : "Check your e-mail";
  return {
    title: titleWith(title, error),
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, isOver ? undefined : "code")}
<h1>${title}</h1>
${
  isOver
    ? html`<p><a class="button primary" href="${AUTH_PATHS.email}">Enter the address again</a></p>`
    : html`${codeSent(email)}
<form method="post" action="${AUTH_PATHS.emailCode}">
${hiddenFields(EMAIL_CODE_FORM, sessionToken, { sign_in: signIn })}
${codeField(error)}
<button class="primary">Change the address</button>
</form>`
}
${back()}`,
  };
}

function back(): Html {
  return html`<p class="aside"><a href="${AUTH_PATHS.account}">Back to your account</a></p>`;
}
