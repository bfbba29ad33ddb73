import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { failureText } from "../../web/pages/failure.ts";
import { errorSummary, hiddenFields, titleWith } from "../../web/pages/fields.ts";
import { type Html, type Page, showPage } from "../../web/pages/layout.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { requirePasskeySession } from "../../web/sessions/passkey-session.ts";
import { shownRefusal } from "../../web/sessions/refused-steps.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import { orSignIn } from "../../web/sessions/session.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { accountUrl } from "../base/account-url.ts";
import { orRecovery } from "./operator-recovery.ts";

const NEXT = "passkey-rule";
const PASSKEY_RULE_FORM = "passkey rule";

/** `GET /account/passkey-rule` */
export async function showPasskeyRule(c: AuthContext, dependencies: AuthDependencies) {
  const { sessionToken, rules } = await requirePasskeySession(c, dependencies, NEXT);
  const language = requestLanguage(c.env.incoming);
  const failure = failureText(shownRefusal(c, dependencies, sessionToken), language);
  const view = { sessionToken, passkeys: rules?.passkeys ?? 0, isRequired: rules?.passkeyRequired ?? false, failure };
  return showPage(c, passkeyRulePage(view, language));
}

/** `POST /account/passkey-rule` */
export async function setPasskeyRule(c: AuthContext, dependencies: AuthDependencies) {
  const { form } = await sessionForm(c, dependencies, PASSKEY_RULE_FORM, NEXT);
  const { sessionToken, rules } = await requirePasskeySession(c, dependencies, NEXT);
  if (rules === undefined || rules.passkeys === 0) return c.redirect(AUTH_PATHS.passkeyRule, 303);
  const required = form.text("required") === "yes";
  const request = { sessionToken, required, peer: peerOf(c, dependencies) };
  const change = () => orSignIn(() => dependencies.clients.accounts.setPasskeyRequired(request), NEXT);
  const done = accountUrl(required ? "passkey-required" : "passkey-not-required");
  return c.redirect(await orRecovery(change, done), 303);
}

/** The number of passkeys from which on losing one locks nobody out. */
const SAFE_PASSKEYS = 2;

interface PasskeyRuleView {
  readonly sessionToken: string;
  readonly passkeys: number;
  /** Whether a passkey is needed at each sign-in now. */
  readonly isRequired: boolean;
  readonly failure: string | undefined;
}

/** Returns the page on which users require a passkey of themselves, or no longer. */
function passkeyRulePage(view: PasskeyRuleView, language: Language): Page {
  const { passkeys, isRequired, failure } = view;
  const texts = TEXTS[language];
  const { passkeyRule, account } = texts;
  const title = isRequired ? passkeyRule.offTitle : passkeyRule.onTitle;
  return {
    title: titleWith(title, failure, texts),
    language,
    address: AUTH_PATHS.passkeyRule,
    status: failure === undefined ? 200 : 422,
    content: html`${errorSummary(failure, undefined, texts)}
<h1>${title}</h1>
${isRequired ? turnOff(view, language) : passkeys === 0 ? addFirst(language) : turnOn(view, language)}
<p class="aside"><a href="${AUTH_PATHS.account}">${account.back}</a></p>`,
  };
}

function turnOff(view: PasskeyRuleView, language: Language): Html {
  const { passkeyRule } = TEXTS[language];
  return html`<p>${passkeyRule.offText}</p>${ruleForm(view, "no", passkeyRule.off)}`;
}

function turnOn(view: PasskeyRuleView, language: Language): Html {
  const { passkeyRule, passkeys } = TEXTS[language];
  return html`<p>${passkeyRule.onText}</p>
<ul><li>${passkeyRule.ends}</li><li>${passkeyRule.loss}</li></ul>
${
  view.passkeys < SAFE_PASSKEYS &&
  html`<p class="notice">${passkeyRule.onlyOne} <a href="${AUTH_PATHS.passkeys}">${passkeys.addTitle}</a></p>`
}
${ruleForm(view, "yes", passkeyRule.on)}`;
}

function addFirst(language: Language): Html {
  const { passkeyRule, passkeys } = TEXTS[language];
  return html`<p>${passkeyRule.none}</p>
<p><a class="button primary" href="${AUTH_PATHS.passkeys}">${passkeys.addTitle}</a></p>`;
}

function ruleForm({ sessionToken }: PasskeyRuleView, required: "yes" | "no", button: string): Html {
  const fields = hiddenFields(PASSKEY_RULE_FORM, sessionToken, { required });
  return html`<form method="post" action="${AUTH_PATHS.passkeyRule}">${fields}<button class="primary">${button}</button></form>`;
}
