import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import type { GetSignInRulesResponse, Recovery } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { recoveryState } from "./recovery-page.ts";

/** Returns the line about a recovery that waits, which is at the top of the account page. */
export function recoveryLine(recovery: Recovery, language: Language): Html {
  return html`<p class="notice" role="status">${recoveryState(recovery, language)}
<a href="${AUTH_PATHS.recovery}">${TEXTS[language].recovery.look}</a></p>`;
}

/** Returns the rows about what passkeys are needed for. Whoever has signed in with one hasn't lost all. */
export function signInRules(
  { passkeyRequired, passkeys }: GetSignInRulesResponse,
  isByPasskey: boolean,
  language: Language,
): Html {
  const { passkeyRule, recovery } = TEXTS[language];
  if (passkeys === 0) return html``;
  return html`<div class="row"><p class="grow quiet">${passkeyRequired ? passkeyRule.isOn : passkeyRule.isOff}</p><a class="button secondary small" href="${AUTH_PATHS.passkeyRule}">${passkeyRequired ? passkeyRule.turnOff : passkeyRule.turnOn}</a></div>
${!isByPasskey && html`<p class="quiet"><a href="${AUTH_PATHS.recovery}">${recovery.lostLink}</a></p>`}`;
}
