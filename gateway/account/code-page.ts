import { html } from "hono/html";
import { SIGN_IN_FORM, type SignInPurpose } from "../oauth/sign-in-page.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../web/pages/fields.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import { clientLine, formTargetsOf, testNotice } from "../web/pages/requesting-client.ts";

export const CODE_FORM = "sign-in code";

export interface CodeView extends SignInPurpose {
  readonly browserToken: string;
  readonly signIn: string;
  /** Address that the code was sent to; undefined where the browser has begun another sign-in since. */
  readonly email: string | undefined;
  readonly error?: string;
  /** Whether the code no longer counts, so the user needs a new one. */
  readonly isOver?: boolean;
}

/** Returns the page that asks for the one-time code. */
export function codePage(view: CodeView): Page {
  const { client, error, isOver = false } = view;
  const title = isOver ? "Get a new code" : "Check your e-mail";
  return {
    title: titleWith(title, error),
    formTargets: view.authorization === "" ? "self" : formTargetsOf(client),
    notice: testNotice(client),
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, isOver ? undefined : "code")}
<h1>${title}</h1>
${client && clientLine("to continue to", client)}
${isOver ? "" : codeForm(view)}
${otherWays(view)}`,
  };
}

/** Returns the field for a one-time code. */
export function codeField(error: string | undefined): Html {
  return textField({
    id: "code",
    name: "code",
    label: "Code",
    hint: html`8 letters. The dash and the case don’t matter.`,
    error,
    attributes: html`class="code" autocomplete="one-time-code" inputmode="text" autocapitalize="characters" spellcheck="false" maxlength="64"`,
  });
}

/**
 * Returns the line that names the address to which the code was sent. It doesn't say that a mail was sent: none is where
 * the address was sent too many, and the page must not reveal that.
 */
export function codeSent(email: string | undefined): Html {
  const address = email === undefined ? "the address that you entered" : html`<strong><bdi>${email}</bdi></strong>`;
  return html`<p>Enter the code from our e-mail to ${address}. It works for 10 minutes, in this browser only.</p>`;
}

function codeForm(view: CodeView): Html {
  const { signIn, authorization, next } = view;
  return html`${codeSent(view.email)}
<form method="post" action="${AUTH_PATHS.code}">
${hiddenFields(CODE_FORM, view.browserToken, { sign_in: signIn, authorization, next })}
${codeField(view.error)}
<button class="primary">Sign in</button>
</form>`;
}

function otherWays({ email, authorization, next, browserToken, isOver = false }: CodeView): Html {
  const fields = hiddenFields(SIGN_IN_FORM, browserToken, { authorization, next, email: email ?? "" });
  return html`<div class="${isOver ? "ways" : "aside"}">
${
  isOver
    ? ""
    : html`<p class="quiet">No e-mail yet? Check your spam folder. If many codes were asked for, by you or by somebody else, wait an
hour. Or:</p>`
}
${email && html`<form method="post" action="${AUTH_PATHS.signIn}">${fields}<button class="${isOver ? "primary" : "link"}">Send a new code</button></form>`}
<p><a href="${startOf(authorization, next)}">Use another address</a></p>
</div>`;
}

function startOf(authorization: string, next: string): string {
  if (authorization !== "") return `${AUTH_PATHS.continue}?${new URLSearchParams({ authorization })}`;
  return next === "" ? AUTH_PATHS.signIn : `${AUTH_PATHS.signIn}?${new URLSearchParams({ next })}`;
}
