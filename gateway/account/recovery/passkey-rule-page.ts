import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { TEXTS } from "../../web/texts/texts.ts";

export const PASSKEY_RULE_FORM = "passkey rule";
/** The number of passkeys from which on losing one locks nobody out. */
const SAFE_PASSKEYS = 2;

export interface PasskeyRuleView {
  readonly sessionToken: string;
  readonly passkeys: number;
  /** Whether a passkey is needed at each sign-in now. */
  readonly isRequired: boolean;
}

/** Returns the page on which users require a passkey of themselves, or no longer. */
export function passkeyRulePage(view: PasskeyRuleView, language: Language): Page {
  const { passkeys, isRequired } = view;
  const { passkeyRule, account } = TEXTS[language];
  const title = isRequired ? passkeyRule.offTitle : passkeyRule.onTitle;
  return {
    title,
    language,
    address: AUTH_PATHS.passkeyRule,
    content: html`<h1>${title}</h1>
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
