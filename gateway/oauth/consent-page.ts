import { html } from "hono/html";
import type {
  ConsentScope,
  ConsentStep,
  RequestingClient,
} from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import { hiddenFields } from "../web/pages/fields.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import { SIGN_OUT_FORM } from "../web/pages/page-form.ts";
import { formTargetsOf, testNotice, wideLogo } from "../web/pages/requesting-client.ts";
import { type EntityChoice, entityFieldset } from "./entity-choice.ts";
import { scopeText } from "./scope-text.ts";

export const CONSENT_FORM = "consent";

export interface ConsentView extends Omit<ConsentStep, "$typeName" | "$unknown" | "client"> {
  readonly client: RequestingClient;
  readonly sessionToken: string;
  readonly choice: EntityChoice;
}

/** Returns the page that asks the user what the application may do. */
export function consentPage(view: ConsentView): Page {
  const { client, scopes, email, accountUuid, authorizationHandle, sessionToken } = view;
  const fields = { authorization: authorizationHandle, account: accountUuid };
  return {
    title: `Allow ${client.name}?`,
    formTargets: formTargetsOf(client),
    notice: testNotice(client),
    content: html`${wideLogo(client)}
<h1><bdi>${client.name}</bdi> asks for access</h1>
<p class="lead">for the sale <strong><bdi>${client.saleName}</bdi></strong></p>
${account(view)}
<form method="post" action="${AUTH_PATHS.consent}">
${hiddenFields(CONSENT_FORM, sessionToken, fields)}
<fieldset><legend>It will be able to</legend>
<ul class="scopes">${scopes.map((scope) => scopeItem(scope, email))}</ul>
</fieldset>
${entityFieldset(view.choice)}
<p class="quiet returns">You return to <strong><bdi>${client.redirectHost}</bdi></strong>. You can take this back at any time in your account.</p>
<div class="actions">
<button class="primary" name="decision" value="allow">Allow</button>
<button class="secondary" name="decision" value="cancel">Cancel</button>
</div>
</form>`,
  };
}

function account({ email, sessionToken, authorizationHandle }: ConsentView): Html {
  const fields = hiddenFields(SIGN_OUT_FORM, sessionToken, { authorization: authorizationHandle });
  return html`<form class="account" method="post" action="${AUTH_PATHS.signOut}">${fields}
<p class="quiet">Signed in as</p><p class="account-email"><strong><bdi>${email}</bdi></strong></p>
<button class="link">Not you?</button></form>`;
}

/**
 * Returns a scope with its box. A required scope is ticked and fixed: a disabled box sends nothing, so a hidden field
 * sends it.
 */
function scopeItem({ scope, required, granted }: ConsentScope, email: string): Html {
  const { title, detail } = scopeText(scope, email);
  const id = `scope-${scope}`;
  const box = required
    ? html`<input type="checkbox" id="${id}" checked disabled><input type="hidden" name="scope" value="${scope}">`
    : html`<input type="checkbox" id="${id}" name="scope" value="${scope}"${granted ? " checked" : ""}>`;
  return html`<li>${box}<label for="${id}"><span class="scope-title">${title}</span>
${detail && html`<span class="scope-detail"><bdi>${detail}</bdi></span>`}
<span class="tag">${required ? "Required" : "Optional"}</span></label></li>`;
}
