import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { Page } from "../web/pages/layout.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import type { TokensOutcome } from "../web/sessions/signed-out-url.ts";
import { TEXTS } from "../web/texts/texts.ts";

export interface SignedOutView {
  /** Whether the account was deleted. */
  readonly isDeleted: boolean;
  /** The outcome for the access of applications; undefined where the person didn't want it ended. */
  readonly tokens?: TokensOutcome | undefined;
}

const TOKENS_TEXT = { ended: "tokensEnded", kept: "tokensKept" } as const;

export function signedOutPage({ isDeleted, tokens }: SignedOutView, language: Language): Page {
  const { signedOut } = TEXTS[language];
  const title = isDeleted ? signedOut.deletedTitle : signedOut.title;
  return {
    title,
    language,
    content: html`<h1>${title}</h1>
${
  isDeleted
    ? html`<p>${signedOut.deletedText}</p>`
    : html`${tokens && html`<p>${signedOut[TOKENS_TEXT[tokens]]}</p>`}
<p>${signedOut.text}</p>
<p><a class="button secondary" href="${AUTH_PATHS.signIn}">${signedOut.again}</a></p>`
}`,
  };
}
