import { html } from "hono/html";
import type { Consent, Session } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { scopeText } from "../oauth/scope-text.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import { hiddenFields } from "../web/pages/fields.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import { navigation } from "../web/pages/navigation.ts";
import { SIGN_OUT_FORM } from "../web/pages/page-form.ts";
import { squareLogo } from "../web/pages/requesting-client.ts";
import { utcTime } from "../web/pages/utc-time.ts";
import { type EntitiesView, entitiesAway, entitySections } from "./entities/entities-section.ts";
import { userAgentText } from "./user-agent-text.ts";

export const END_SESSION_FORM = "end session";
export const WITHDRAW_FORM = "withdraw";

/** Messages of the account page about the change that was just made. */
export const CHANGE_TEXTS = {
  "session-ended": "The session is ended.",
  withdrawn: "The application no longer has access.",
  "email-changed": "Your e-mail address is changed.",
} as const;
export type AccountChange = keyof typeof CHANGE_TEXTS;

export interface AccountView {
  readonly email: string;
  readonly sessions: readonly Session[];
  readonly consents: readonly Consent[];
  readonly sessionToken: string;
  /** Whether there is a dashboard to go to. */
  readonly hasDashboard: boolean;
  readonly done?: AccountChange | undefined;
  /** The person's entities; undefined where nobody takes part through this gateway, `away` without the entities service. */
  readonly entities?: EntitiesView | "away" | undefined;
}

/** Returns the page on which users see and change their account. */
export function accountPage(view: AccountView): Page {
  const { email, sessions, consents, sessionToken, hasDashboard, done, entities } = view;
  return {
    title: "Your account",
    isWide: true,
    ...(hasDashboard && { navigation: navigation() }),
    content: html`${done && html`<p class="done-line" role="status">${CHANGE_TEXTS[done]}</p>`}
<div class="heading"><h1>Your account</h1>
<form method="post" action="${AUTH_PATHS.signOut}">${hiddenFields(SIGN_OUT_FORM, sessionToken)}<button class="secondary small">Sign out</button></form></div>
<section aria-labelledby="address"><h2 id="address">E-mail address</h2>
<div class="row"><p class="grow"><bdi>${email}</bdi></p><a class="button secondary small" href="${AUTH_PATHS.email}">Change</a></div></section>
${entities === "away" ? entitiesAway() : entities && entitySections(entities)}
<section aria-labelledby="applications"><h2 id="applications">Applications with access</h2>
${consents.length === 0 ? html`<p class="quiet">None so far.</p>` : html`<ul class="rows">${consents.map((consent) => consentItem(consent, view))}</ul>`}</section>
<section aria-labelledby="sessions"><h2 id="sessions">Where you are signed in</h2>
<ul class="rows">${sessions.map((session) => sessionItem(session, sessionToken))}</ul></section>
<section aria-labelledby="data"><h2 id="data">Your data</h2>
<div class="row"><p class="grow quiet">What is stored about you, as a file.</p><a class="button secondary small" href="${AUTH_PATHS.data}">Download…</a></div></section>
<section aria-labelledby="deletion"><h2 id="deletion">Delete the account</h2>
<div class="row"><p class="grow quiet">It can’t be restored.</p><a class="button danger small" href="${AUTH_PATHS.deleteAccount}">Delete…</a></div></section>`,
  };
}

function consentItem(consent: Consent, { email, sessionToken }: AccountView): Html {
  const { clientUuid, clientName, grantedScopes, updatedAt, squareLogo: logo } = consent;
  const fields = hiddenFields(WITHDRAW_FORM, sessionToken, { client: clientUuid });
  return html`<li class="row">${squareLogo(logo)}<div class="grow"><p><strong><bdi>${clientName}</bdi></strong></p>
<p class="quiet">${grantedScopes.map((scope) => scopeText(scope, email).title).join(" · ")}</p>
<p class="quiet">Since ${utcTime(updatedAt)}</p></div>
<form method="post" action="${AUTH_PATHS.withdraw}">${fields}<button class="secondary small" aria-label="Remove access of ${clientName}">Remove access</button></form></li>`;
}

function sessionItem({ uuid, userAgent, authenticatedAt, lastSeenAt, current }: Session, sessionToken: string): Html {
  const browser = userAgentText(userAgent);
  const fields = hiddenFields(END_SESSION_FORM, sessionToken, { session: uuid });
  return html`<li class="row"><div class="grow"><p><strong>${browser}</strong>${current && html` <span class="tag">This browser</span>`}</p>
<p class="quiet">Signed in ${utcTime(authenticatedAt)}, last seen ${utcTime(lastSeenAt)}</p></div>
${
  current
    ? ""
    : html`<form method="post" action="${AUTH_PATHS.endSession}">${fields}<button class="secondary small" aria-label="End session: ${browser}">End</button></form>`
}</li>`;
}
