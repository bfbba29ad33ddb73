import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import type { GetSignInRulesResponse, Passkey } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { signInRules } from "../recovery/sign-in-rules-section.ts";
import { times } from "./passkeys-page.ts";

export interface SignInFacts {
  readonly rules: GetSignInRulesResponse | undefined;
  /** Whether the user has signed in to this browser with a passkey. */
  readonly isByPasskey: boolean;
}

/** Returns the part of the account page that lists the passkeys, and leads to where they are changed. */
export function passkeysSection(
  own: readonly Passkey[],
  { rules, isByPasskey }: SignInFacts,
  language: Language,
): Html {
  const { passkeys } = TEXTS[language];
  const item = (
    passkey: Passkey,
  ) => html`<li class="row"><div class="grow"><p><strong><bdi>${passkey.name}</bdi></strong></p>
<p class="quiet">${times(passkey, language)}</p></div></li>`;
  return html`<section aria-labelledby="passkeys"><h2 id="passkeys">${passkeys.title}</h2>
<div class="row"><p class="grow quiet">${passkeys.text}</p><a class="button secondary small" href="${AUTH_PATHS.passkeys}">${own.length === 0 ? passkeys.addFirst : passkeys.manage}</a></div>
${own.length > 0 && html`<ul class="rows">${own.map(item)}</ul>`}
${rules && signInRules(rules, isByPasskey, language)}</section>`;
}
