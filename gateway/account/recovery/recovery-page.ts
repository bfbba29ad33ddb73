import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import {
  AuthenticationMethod,
  type GetSignInRulesResponse,
  type Recovery,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { errorSummary, hiddenFields, titleWith } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { TEXTS } from "../../web/texts/texts.ts";

export const RECOVERY_FORM = "recovery";

/** The steps that the page's forms ask for. */
export const RECOVERY_STEPS = ["begin", "stop", "complete"] as const;
export type RecoveryStep = (typeof RECOVERY_STEPS)[number];

/** Changes that the page confirms, as its address names them. */
export const RECOVERY_CHANGES = ["begun", "stopped"] as const;
export type RecoveryChange = (typeof RECOVERY_CHANGES)[number];

export interface RecoveryView {
  readonly rules: GetSignInRulesResponse;
  /** Address of the page, which its forms are sent to. */
  readonly address: typeof AUTH_PATHS.recovery | typeof AUTH_PATHS.recoveryByPass;
  /** The token of the session, or the pass that a code gave which doesn't sign in. */
  readonly secret: string;
  /** How the user signed in, or with what they got here. */
  readonly method: AuthenticationMethod;
  readonly done?: RecoveryChange | undefined;
  readonly error?: string;
}

/** Returns the page for users who have lost all passkeys. */
export function recoveryPage(view: RecoveryView, language: Language): Page {
  const { rules, address, done, error } = view;
  const texts = TEXTS[language];
  const { recovery } = texts;
  const isPass = address === AUTH_PATHS.recoveryByPass;
  const title = isPass && rules.recovery === undefined ? recovery.requiredTitle : recovery.title;
  return {
    title: titleWith(title, error, texts),
    language,
    address,
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, undefined, texts)}
${done && html`<p class="done-line" role="status">${recovery[done]}</p>`}
<h1>${title}</h1>
${
  isPass &&
  html`<p>${recovery.requiredText}</p>
<p><a class="button primary" href="${AUTH_PATHS.signIn}">${texts.signIn.withPasskey}</a></p>`
}
${rules.recovery === undefined ? beginning(view, language) : waiting(view, rules.recovery, language)}
${!isPass && html`<p class="aside"><a href="${AUTH_PATHS.account}">${texts.account.back}</a></p>`}`,
  };
}

function beginning(view: RecoveryView, language: Language): Html {
  const { recovery } = TEXTS[language];
  const { rules, method } = view;
  if (rules.passkeys === 0) return html`<p>${recovery.noPasskeys}</p>`;
  if (method === AuthenticationMethod.PASSKEY) return html`<p>${recovery.hasPasskey}</p>`;
  return html`<section aria-labelledby="lost"><h2 id="lost">${recovery.lost}</h2>
<p>${recovery.text}</p>
<ul><li>${recovery.waits}</li><li>${recovery.canBeStopped}</li><li>${recovery.removes}</li></ul>
${stepForm(view, "begin", recovery.begin, "secondary")}</section>`;
}

function waiting(view: RecoveryView, current: Recovery, language: Language): Html {
  const { recovery } = TEXTS[language];
  const { ready, byOperator } = current;
  const canComplete = ready && view.method !== AuthenticationMethod.PASSKEY;
  return html`<section aria-labelledby="waiting"><h2 id="waiting">${ready ? recovery.readyTitle : recovery.waitingTitle}</h2>
<p>${recoveryState(current, language)}</p>
${canComplete && html`<p>${recovery.effect}</p>`}
<p class="quiet">${byOperator ? recovery.byOperator : recovery.notYou}</p>
${
  (canComplete || !byOperator) &&
  html`<div class="actions">${canComplete && stepForm(view, "complete", recovery.complete, "danger")}${!byOperator && stepForm(view, "stop", recovery.stop, "secondary")}</div>`
}</section>`;
}

function stepForm({ address, secret, rules }: RecoveryView, step: RecoveryStep, button: string, kind: string): Html {
  const fields = hiddenFields(RECOVERY_FORM, secret, { step, recovery: rules.recovery?.uuid ?? "" });
  return html`<form method="post" action="${address}">${fields}<button class="${kind}">${button}</button></form>`;
}

/** Returns the sentence about a recovery: who began it, and from when until when it can be completed. */
export function recoveryState({ ready, readyAt, expiresAt, byOperator }: Recovery, language: Language): Html {
  const { recovery } = TEXTS[language];
  if (ready) return fillHtml(recovery.readyText, { end: utcTime(expiresAt, language) });
  const text = byOperator ? recovery.waitingForOperator : recovery.waitingText;
  return fillHtml(text, { ready: utcTime(readyAt, language) });
}
