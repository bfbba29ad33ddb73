import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import { errorSummary, hiddenFields, titleWith } from "../web/pages/fields.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import type { Page } from "../web/pages/layout.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { TEXTS } from "../web/texts/texts.ts";

export const DELETION_FORM = "delete account";

export interface DeletionView {
  readonly sessionToken: string;
  readonly email: string;
  readonly error?: string;
}

/** Returns the page that asks to confirm the deletion of the account. */
export function deletionPage({ sessionToken, email, error }: DeletionView, language: Language): Page {
  const texts = TEXTS[language];
  const { deletion } = texts;
  const { title } = deletion;
  const address = html`<strong><bdi>${email}</bdi></strong>`;
  return {
    title: titleWith(title, error, texts),
    language,
    address: AUTH_PATHS.deleteAccount,
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, undefined, texts)}
<h1>${title}</h1>
<p>${fillHtml(deletion.text, { address })}</p>
<ul><li>${deletion.signedOut}</li><li>${deletion.noAccess}</li>
<li>${deletion.anew}</li></ul>
<form method="post" action="${AUTH_PATHS.deleteAccount}">
${hiddenFields(DELETION_FORM, sessionToken)}
<p class="tick"><input type="checkbox" id="sure" name="sure" value="yes" required><label for="sure">${deletion.sure}</label></p>
<div class="actions"><button class="danger">${deletion.delete}</button><a class="button secondary" href="${AUTH_PATHS.account}">${deletion.keep}</a></div>
</form>`,
  };
}
