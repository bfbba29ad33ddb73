import { html } from "hono/html";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import { errorSummary, hiddenFields, titleWith } from "../web/pages/fields.ts";
import type { Page } from "../web/pages/layout.ts";

export const DELETION_FORM = "delete account";

export interface DeletionView {
  readonly sessionToken: string;
  readonly email: string;
  readonly error?: string;
}

/** Returns the page that asks to confirm the deletion of the account. */
export function deletionPage({ sessionToken, email, error }: DeletionView): Page {
  const title = "Delete your account?";
  return {
    title: titleWith(title, error),
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error)}
<h1>${title}</h1>
<p>The account of <strong><bdi>${email}</bdi></strong> is removed at once, and can’t be restored:</p>
<ul><li>you are signed out everywhere,</li><li>every application that you let in loses its access,</li>
<li>with the same address you later begin anew.</li></ul>
<form method="post" action="${AUTH_PATHS.deleteAccount}">
${hiddenFields(DELETION_FORM, sessionToken)}
<p class="tick"><input type="checkbox" id="sure" name="sure" value="yes" required><label for="sure">I want to delete my account</label></p>
<div class="actions"><button class="danger">Delete account</button><a class="button secondary" href="${AUTH_PATHS.account}">Keep it</a></div>
</form>`,
  };
}
