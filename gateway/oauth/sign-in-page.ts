import { html } from "hono/html";
import type { RequestingClient } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../web/pages/fields.ts";
import type { Page } from "../web/pages/layout.ts";
import { clientLine, formTargetsOf, testNotice } from "../web/pages/requesting-client.ts";

export const SIGN_IN_FORM = "sign-in";

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
  readonly error?: string;
  /** Whether the user is signed in already, but not recently enough. */
  readonly isRepeated?: boolean;
}

/** Returns the page that asks for the e-mail address. */
export function signInPage(view: SignInView): Page {
  const { client, error } = view;
  const title = view.isRepeated ? "Confirm that it’s you" : "Sign in";
  return {
    title: titleWith(title, error),
    formTargets: view.authorization === "" ? "self" : formTargetsOf(client),
    notice: testNotice(client),
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, "email")}
<h1>${title}</h1>
${client && clientLine("to continue to", client)}
${view.isRepeated && html`<p>For this you need to have signed in within the last ten minutes.</p>`}
<form method="post" action="${AUTH_PATHS.signIn}">
${hiddenFields(SIGN_IN_FORM, view.browserToken, { authorization: view.authorization, next: view.next })}
${textField({
  id: "email",
  name: "email",
  label: "E-mail address",
  hint: html`We send you a code. You need no password.`,
  value: view.email ?? "",
  error,
  attributes: html`type="email" autocomplete="email" maxlength="254" autocapitalize="none" spellcheck="false"`,
})}
<button class="primary">Send me a code</button>
</form>`,
  };
}
