import { html } from "hono/html";
import { parseUserAgent } from "../../common/platform/http/user-agent.ts";
import type { Language } from "../../common/platform/language/language.ts";
import { fill } from "../../common/platform/language/message.ts";
import {
  AuthenticationMethod,
  type Consent,
  type GetSignInRulesResponse,
  type Passkey,
  type Session,
} from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { END_TOKENS } from "../sign-in/end-tokens-field.ts";
import { errorSummary, hiddenFields, titleWith } from "../web/pages/fields.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import { navigation } from "../web/pages/navigation.ts";
import { SIGN_OUT_FORM } from "../web/pages/page-form.ts";
import { squareLogo } from "../web/pages/requesting-application.ts";
import { utcTime } from "../web/pages/utc-time.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import type { Texts } from "../web/texts/en.ts";
import { scopeText } from "../web/texts/scope-text.ts";
import { TEXTS } from "../web/texts/texts.ts";
import type { AccountChange } from "./base/account-url.ts";
import { backToApplication, type SendingApplication } from "./base/sending-application.ts";
import { type EntitiesView, entitiesAway, entitySection, isAddingNext } from "./entities/entities-section.ts";
import { ownSalesSection } from "./entities/own-sales.ts";
import { setupTargets } from "./entities/setup-form.ts";
import { passkeysSection } from "./passkeys/passkeys-page.ts";
import { recoveryLine } from "./recovery/sign-in-rules-section.ts";

export const END_SESSION_FORM = "end session";
export const END_OTHERS_FORM = "end other sessions";
export const WITHDRAW_FORM = "withdraw";

export interface AccountView {
  readonly email: string;
  readonly sessions: readonly Session[];
  readonly consents: readonly Consent[];
  /** Undefined where there can be none. */
  readonly passkeys?: readonly Passkey[] | undefined;
  /** Undefined where the auth service is of a version without them. */
  readonly rules?: GetSignInRulesResponse | undefined;
  readonly sessionToken: string;
  /** Whether there is a dashboard to go to. */
  readonly hasDashboard: boolean;
  readonly done?: AccountChange | undefined;
  /** The failure that a form of the page met. */
  readonly failure?: string | undefined;
  /** `PUBLIC_BASE_URL`, where the pages of sales are. */
  readonly publicBaseUrl: string;
  /** The application that the user came from. */
  readonly application: SendingApplication | undefined;
  /** The person's entities; undefined where nobody takes part through this gateway, `away` without the entities service. */
  readonly entities?: EntitiesView | "away" | undefined;
}

/** Returns the page on which users see and change their account. */
export function accountPage(view: AccountView, language: Language): Page {
  const { email, sessions, consents, sessionToken, hasDashboard, done, failure, entities, application } = view;
  const texts = TEXTS[language];
  const { account } = texts;
  const present = entities === "away" ? undefined : entities;
  const participants = present && { ...present, sessionToken, application };
  const participation = participants && entitySection(participants, language);
  const isFirst = participants !== undefined && isAddingNext(participants);
  return {
    title: titleWith(account.title, failure, texts),
    language,
    isWide: true,
    status: failure === undefined ? 200 : 422,
    ...(participants && { formTargets: setupTargets(participants) }),
    ...(hasDashboard && { navigation: navigation(texts) }),
    content: html`${errorSummary(failure, undefined, texts)}${done && html`<p class="done-line" role="status">${changeText(done, texts)}</p>`}
${view.rules?.recovery && recoveryLine(view.rules.recovery, language)}
<div class="heading"><h1>${account.title}</h1>
<form method="post" action="${AUTH_PATHS.signOut}">${hiddenFields(SIGN_OUT_FORM, sessionToken)}<button class="secondary small">${account.signOut}</button></form></div>
${backToApplication(application, texts)}
${isFirst && participation}
${present && ownSalesSection({ ...present, consents, publicBaseUrl: view.publicBaseUrl, sessionToken }, language)}
<section aria-labelledby="address"><h2 id="address">${account.email}</h2>
<div class="row"><p class="grow"><bdi>${email}</bdi></p><a class="button secondary small" href="${AUTH_PATHS.email}">${account.change}</a></div></section>
${view.passkeys && passkeysSection(view.passkeys, { rules: view.rules, isByPasskey: isByPasskey(sessions) }, language)}
${entities === "away" ? entitiesAway(texts) : !isFirst && participation}
<section aria-labelledby="applications"><h2 id="applications">${account.applications}</h2>
${consents.length === 0 ? html`<p class="quiet">${account.none}</p>` : html`<ul class="rows">${consents.map((consent) => consentItem(consent, view, language))}</ul>`}</section>
<section aria-labelledby="sessions"><h2 id="sessions">${account.sessions}</h2>
<ul class="rows">${sessions.map((session) => sessionItem(session, sessionToken, language))}</ul>
${sessions.length > 1 && endOthersForm(sessionToken, texts)}
${consents.length > 0 && endAccessForm(sessionToken, texts)}</section>
<section aria-labelledby="data"><h2 id="data">${account.data}</h2>
<div class="row"><p class="grow quiet">${account.dataText}</p><a class="button secondary small" href="${AUTH_PATHS.data}">${account.download}</a></div></section>
<section aria-labelledby="deletion"><h2 id="deletion">${account.deletion}</h2>
<div class="row"><p class="grow quiet">${account.final}</p><a class="button danger small" href="${AUTH_PATHS.deleteAccount}">${account.delete}</a></div></section>`,
  };
}

function changeText(done: AccountChange, { account, alerts, passkeys, recovery, passkeyRule }: Texts): string {
  switch (done) {
    case "session-ended":
      return account.sessionEnded;
    case "others-ended":
      return account.othersEnded;
    case "withdrawn":
      return account.withdrawn;
    case "email-changed":
      return account.emailChanged;
    case "passkey-added":
      return passkeys.added;
    case "recovered":
      return recovery.completed;
    case "passkey-required":
      return passkeyRule.isOn;
    case "passkey-not-required":
      return passkeyRule.isOff;
    case "alerts-saved":
      return alerts.saved;
  }
}

function consentItem(consent: Consent, { email, sessionToken, publicBaseUrl }: AccountView, language: Language): Html {
  const texts = TEXTS[language];
  const { clientUuid, clientName, saleUuid, saleName, grantedScopes, updatedAt, squareLogo: logo } = consent;
  const fields = hiddenFields(WITHDRAW_FORM, sessionToken, { client: clientUuid });
  return html`<li class="row">${squareLogo(logo)}<div class="grow"><p><strong><bdi>${clientName}</bdi></strong></p>
<p class="quiet">${grantedScopes.map((scope) => scopeText(scope, email, texts).title).join(" · ") || texts.account.signsIn}</p>
<p class="quiet">${fillHtml(texts.account.since, { time: utcTime(updatedAt, language) })}</p>
<p class="quiet">${fillHtml(texts.account.ofSale, { sale: html`<a href="${publicBaseUrl}/sales/${saleUuid}"><bdi>${saleName || saleUuid}</bdi></a>` })}</p></div>
<form method="post" action="${AUTH_PATHS.withdraw}">${fields}<button class="secondary small" aria-label="${fill(texts.account.withdrawOf, { application: clientName })}">${texts.account.withdraw}</button></form></li>`;
}

function sessionItem(session: Session, sessionToken: string, language: Language): Html {
  const { uuid, userAgent, authenticatedAt, lastSeenAt, current, authenticatedBy } = session;
  const isByPasskey = authenticatedBy === AuthenticationMethod.PASSKEY;
  const texts = TEXTS[language];
  const { account } = texts;
  const browser = userAgentText(userAgent, texts);
  const times = { signedIn: utcTime(authenticatedAt, language), seen: utcTime(lastSeenAt, language) };
  const fields = hiddenFields(END_SESSION_FORM, sessionToken, { session: uuid });
  return html`<li class="row"><div class="grow"><p><strong>${browser}</strong>${current && html` <span class="tag">${account.thisBrowser}</span>`}${isByPasskey && html` <span class="tag">${account.byPasskey}</span>`}</p>
<p class="quiet">${fillHtml(account.seen, times)}</p></div>
${
  current
    ? ""
    : html`<form method="post" action="${AUTH_PATHS.endSession}">${fields}<button class="secondary small" aria-label="${fill(account.endOf, { browser })}">${account.end}</button></form>`
}</li>`;
}

function endOthersForm(sessionToken: string, { account }: Texts): Html {
  return html`<form method="post" action="${AUTH_PATHS.endOtherSessions}">${hiddenFields(END_OTHERS_FORM, sessionToken)}<button class="secondary small">${account.endOthers}</button></form>`;
}

/** Whether the user has signed in to this browser with a passkey. */
function isByPasskey(sessions: readonly Session[]): boolean {
  return sessions.some(({ current, authenticatedBy }) => current && authenticatedBy === AuthenticationMethod.PASSKEY);
}

/** Returns the form that ends this session and the access of all applications. */
function endAccessForm(sessionToken: string, { account, endTokens }: Texts): Html {
  return html`<form method="post" action="${AUTH_PATHS.signOut}">${hiddenFields(SIGN_OUT_FORM, sessionToken, { [END_TOKENS]: "yes" })}
<button class="secondary small" aria-describedby="end-access-hint">${account.signOutWithAccess}</button>
<p class="hint" id="end-access-hint">${endTokens.hint}</p></form>`;
}

/** Returns a browser's name from its `User-Agent` header, such as `Firefox on Windows`. */
export function userAgentText(userAgent: string, { browser: texts }: Texts): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser !== undefined) return system === undefined ? browser : fill(texts.onSystem, { browser, system });
  return system === undefined ? texts.unknown : fill(texts.unknownOnSystem, { system });
}
