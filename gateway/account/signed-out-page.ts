import { html } from "hono/html";
import type { Language } from "../../services/shared/texts/language.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import type { Page } from "../web/pages/layout.ts";
import { TEXTS } from "../web/texts/texts.ts";

export function signedOutPage(isDeleted: boolean, language: Language): Page {
  const { signedOut } = TEXTS[language];
  const title = isDeleted ? signedOut.deletedTitle : signedOut.title;
  return {
    title,
    language,
    content: html`<h1>${title}</h1>
${
  isDeleted
    ? html`<p>${signedOut.deletedText}</p>`
    : html`<p>${signedOut.text}</p>
<p><a class="button secondary" href="${AUTH_PATHS.signIn}">${signedOut.again}</a></p>`
}`,
  };
}
