import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import { type Page, showPage } from "../web/pages/layout.ts";
import { atEntities } from "../web/sessions/at-entities.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { signInRulesOf } from "../web/sessions/passkey-session.ts";
import { type CurrentSession, orSignIn, requireRecentSession } from "../web/sessions/session.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { accountDataJson, type PersonalData } from "./account-data.ts";
import { passkeysOf } from "./passkeys/passkeys.ts";

const NEXT = "data";

/** `GET /account/data` */
export async function showData(c: AuthContext, dependencies: AuthDependencies) {
  const { account } = await requireRecentSession(c, dependencies, NEXT);
  const takesPart = dependencies.entitiesUpstream !== undefined;
  return showPage(c, dataPage(account.email, takesPart, requestLanguage(c.env.incoming)));
}

/** `GET /account/data.json`: everything or nothing. While a service is away, there is no file. */
export async function downloadData(c: AuthContext, dependencies: AuthDependencies) {
  c.header("Cache-Control", "no-store");
  const current = await requireRecentSession(c, dependencies, NEXT);
  const file = accountDataJson(await orSignIn(() => personalData(dependencies, current), NEXT));
  return c.body(file, 200, {
    "Content-Type": "application/json",
    "Content-Disposition": 'attachment; filename="account-data.json"',
    "X-Content-Type-Options": "nosniff",
  });
}

async function personalData(
  dependencies: AuthDependencies,
  { account, sessionToken }: CurrentSession,
): Promise<PersonalData> {
  const { accounts } = dependencies.clients;
  const [{ sessions }, passkeys = [], rules, { consents }, { events }, entityExport] = await Promise.all([
    accounts.listSessions({ sessionToken }),
    passkeysOf(dependencies, sessionToken),
    signInRulesOf(dependencies, sessionToken),
    accounts.listConsents({ sessionToken }),
    accounts.listAccountEvents({ sessionToken }),
    exportedEntities(dependencies, sessionToken),
  ]);
  return { account, sessions, passkeys, rules, consents, events, entityExport };
}

async function exportedEntities(dependencies: AuthDependencies, sessionToken: string) {
  const { entitiesUpstream } = dependencies;
  if (entitiesUpstream === undefined) return undefined;
  return entitiesUpstream.entities.exportAccount({}, await atEntities({ sessionToken }, dependencies, NEXT));
}

/** Returns the page that says what the file of a person's data has. @param takesPart whether people take part through this gateway */
function dataPage(email: string, takesPart: boolean, language: Language): Page {
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
