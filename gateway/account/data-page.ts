import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import type { Page } from "../web/pages/layout.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { TEXTS } from "../web/texts/texts.ts";

/** Returns the page that says what the file of a person's data has. @param takesPart whether people take part through this gateway */
export function dataPage(email: string, takesPart: boolean, language: Language): Page {
  const { data } = TEXTS[language];
  const { title } = data;
  const address = html`<strong><bdi>${email}</bdi></strong>`;
  return {
    title,
    language,
    content: html`<h1>${title}</h1>
<p>${fillHtml(data.text, { address })}</p>
<ul><li>${data.address}</li><li>${data.sessions}</li>
<li>${data.passkeys}</li>
<li>${data.applications}</li><li>${data.events}</li>
${
  takesPart &&
  html`<li>${data.entities}</li><li>${data.decisions}</li>
<li>${data.permits}</li>`
}</ul>
<p class="quiet">${data.notInIt} ${takesPart && data.notInItEither}</p>
<p class="quiet">${data.keep}</p>
<div class="actions"><a class="button primary" href="${AUTH_PATHS.dataFile}" download>${data.download}</a><a class="button secondary" href="${AUTH_PATHS.account}">${data.back}</a></div>`,
  };
}
