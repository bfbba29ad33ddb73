import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import { fill } from "../../common/platform/language/message.ts";
import type { ConfirmLogoutStep, SignedOutStep } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { OAuthError } from "../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { signedInAccount } from "../sign-in/signed-in-account.ts";
import { detailBox } from "../web/pages/error-page.ts";
import { errorSummary, hiddenFields, titleWith } from "../web/pages/fields.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import { clientLine, formTargetsOf, testNotice } from "../web/pages/requesting-application.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import type { Texts } from "../web/texts/en.ts";
import { TEXTS } from "../web/texts/texts.ts";

export const LOGOUT_FORM = "logout";

/** The boxes of the page, by the name of their field. */
export const ENDS_CLIENT_TOKENS = "end_client_tokens";
export const ENDS_ALL_TOKENS = "end_tokens";

export interface LogoutView
  extends Pick<ConfirmLogoutStep, "client" | "postLogoutRedirectUri" | "state" | "email" | "otherUser"> {
  readonly sessionToken: string;
  /** The failure that the form met. */
  readonly failure: string | undefined;
  /** Names of the boxes that were ticked then. */
  readonly ticked: ReadonlySet<string>;
}

/** Returns the page that asks whether to sign out, and what else to end. */
export function logoutPage(view: LogoutView, language: Language): Page {
  const { client, email, otherUser, sessionToken, postLogoutRedirectUri, state, failure, ticked } = view;
  const texts = TEXTS[language];
  const { logout } = texts;
  const fields = {
    client: client?.clientUuid ?? "",
    post_logout_redirect_uri: postLogoutRedirectUri,
    state,
  };
  return {
    title: titleWith(logout.title, failure, texts),
    language,
    status: failure === undefined ? 200 : 422,
    formTargets: postLogoutRedirectUri === "" ? "self" : formTargetsOf(client),
    notice: testNotice(client, texts),
    content: html`${errorSummary(failure, undefined, texts)}
<h1>${logout.title}</h1>
${client && clientLine(logout.askedBy, client)}
<div class="account">${signedInAccount(email, texts)}</div>
${otherUser && html`<p role="status">${logout.otherUser}</p>`}
<form method="post" action="${AUTH_PATHS.confirmLogout}">
${hiddenFields(LOGOUT_FORM, sessionToken, fields)}
${client && box(ENDS_CLIENT_TOKENS, ticked, html`${fillHtml(logout.endClient, { application: html`<bdi>${client.name}</bdi>` })}`)}
${box(ENDS_ALL_TOKENS, ticked, html`${texts.endTokens.label}`)}
<p class="hint" id="logout-hint">${texts.endTokens.hint}</p>
${returnLine(view, texts)}
<div class="actions">
<button class="primary">${logout.signOut}</button>
<a class="button secondary" href="${AUTH_PATHS.account}">${logout.stay}</a>
</div>
</form>`,
  };
}

/** Returns the page for somebody who isn't signed in; a link leads back to the application. */
export function nobodySignedInPage({ client, returnUrl }: SignedOutStep, language: Language): Page {
  const texts = TEXTS[language];
  const { signedOut, authorization } = texts;
  return {
    title: signedOut.title,
    language,
    notice: testNotice(client, texts),
    content: html`<h1>${signedOut.title}</h1>
${client && clientLine("{application}", client)}
<p>${signedOut.text}</p>
${returnUrl && html`<p><a class="button secondary" href="${returnUrl}" rel="noreferrer">${fill(authorization.back, { host: client?.redirectHost ?? "" })}</a></p>`}`,
  };
}

/** Returns the page about a request that can't be met; the browser stays here. */
export function logoutErrorPage({ error, errorDescription }: OAuthError, language: Language): Page {
  const { logout, authorization } = TEXTS[language];
  return {
    title: logout.errorTitle,
    status: 400,
    language,
    content: html`<h1>${logout.errorTitle}</h1>
<p>${authorization.mistaken} ${logout.signOutHere}</p>
${detailBox(authorization.forDevelopers, `${error}: ${errorDescription}`)}
<p><a class="button secondary" href="${AUTH_PATHS.account}">${logout.account}</a></p>`,
  };
}

function box(name: string, ticked: ReadonlySet<string>, label: Html): Html {
  const id = name.replaceAll("_", "-");
  return html`<p class="tick"><input type="checkbox" id="${id}" name="${name}" value="yes"${ticked.has(name) && " checked"} aria-describedby="logout-hint"><label for="${id}">${label}</label></p>`;
}

function returnLine({ client, postLogoutRedirectUri }: LogoutView, { logout }: Texts): Html | false {
  if (client === undefined || postLogoutRedirectUri === "") return false;
  const host = html`<strong><bdi>${client.redirectHost}</bdi></strong>`;
  return html`<p class="quiet returns">${fillHtml(logout.returns, { host })}</p>`;
}
