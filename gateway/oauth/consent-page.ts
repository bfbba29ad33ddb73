import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import { fill } from "../../common/platform/language/message.ts";
import type {
  ConsentScope,
  ConsentStep,
  RequestingClient,
} from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { signedInAccount } from "../sign-in/signed-in-account.ts";
import { errorSummary, hiddenFields, titleWith } from "../web/pages/fields.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import { SIGN_OUT_FORM } from "../web/pages/page-form.ts";
import { formTargetsOf, testNotice, wideLogo } from "../web/pages/requesting-application.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import type { Texts } from "../web/texts/en.ts";
import { scopeText } from "../web/texts/scope-text.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { type EntityChoice, entityFieldset } from "./entity-choice.ts";

export const CONSENT_FORM = "consent";

export interface ConsentView extends Omit<ConsentStep, "$typeName" | "$unknown" | "client"> {
  readonly client: RequestingClient;
  readonly sessionToken: string;
  readonly choice: EntityChoice;
  /** The reason why the answer before wasn't taken. */
  readonly error?: string | undefined;
}

/** Returns the page that asks the user what the application may do. */
export function consentPage(view: ConsentView, language: Language): Page {
  const texts = TEXTS[language];
  const { consent } = texts;
  const { client, scopes, accountUuid, authorizationHandle, sessionToken, error } = view;
  const fields = { authorization: authorizationHandle, account: accountUuid };
  const application = html`<bdi>${client.name}</bdi>`;
  const sale = html`<strong><bdi>${client.saleName}</bdi></strong>`;
  const host = html`<strong><bdi>${client.redirectHost}</bdi></strong>`;
  return {
    title: titleWith(fill(consent.title, { application: client.name }), error, texts),
    language,
    status: error === undefined ? 200 : 422,
    formTargets: formTargetsOf(client),
    notice: testNotice(client, texts),
    content: html`${errorSummary(error, undefined, texts)}
${wideLogo(client)}
<h1>${fillHtml(consent.heading, { application })}</h1>
<p class="lead">${fillHtml(consent.forSale, { sale })}</p>
${account(view, texts)}
<form method="post" action="${AUTH_PATHS.consent}">
${hiddenFields(CONSENT_FORM, sessionToken, fields)}
${scopes.length > 0 && scopeFieldset(view, texts)}
${view.identifies && html`<p class="quiet">${consent.identifies}</p>`}
${entityFieldset(view.choice, texts)}
<p class="quiet returns">${fillHtml(consent.returns, { host })}</p>
<div class="actions">
<button class="primary" name="decision" value="allow">${consent.allow}</button>
<button class="secondary" name="decision" value="cancel">${consent.cancel}</button>
</div>
</form>`,
  };
}

function account({ email, sessionToken, authorizationHandle }: ConsentView, texts: Texts): Html {
  const fields = hiddenFields(SIGN_OUT_FORM, sessionToken, { authorization: authorizationHandle });
  return html`<form class="account" method="post" action="${AUTH_PATHS.signOut}">${fields}
${signedInAccount(email, texts)}
<button class="link">${texts.consent.notYou}</button></form>`;
}

function scopeFieldset({ scopes, email }: ConsentView, texts: Texts): Html {
  return html`<fieldset><legend>${texts.consent.able}</legend>
<ul class="scopes">${scopes.map((scope) => scopeItem(scope, email, texts))}</ul>
</fieldset>`;
}

/**
 * Returns a scope with its box. A required scope is ticked and fixed: a disabled box sends nothing, so a hidden field
 * sends it.
 */
function scopeItem({ scope, required, granted }: ConsentScope, email: string, texts: Texts): Html {
  const { title, detail } = scopeText(scope, email, texts);
  const id = `scope-${scope}`;
  const box = required
    ? html`<input type="checkbox" id="${id}" checked disabled><input type="hidden" name="scope" value="${scope}">`
    : html`<input type="checkbox" id="${id}" name="scope" value="${scope}"${granted ? " checked" : ""}>`;
  return html`<li>${box}<label for="${id}"><span class="scope-title">${title}</span>
${detail && html`<span class="scope-detail"><bdi>${detail}</bdi></span>`}
<span class="tag">${required ? texts.consent.required : texts.consent.optional}</span></label></li>`;
}
