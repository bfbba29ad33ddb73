import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Page } from "../../web/pages/layout.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { TEXTS } from "../../web/texts/texts.ts";

export const LIVENESS_FORM = "liveness";

/** The sale and the entity that a proof of presence is for, as the page's address names them. */
export interface LivenessSubject {
  readonly saleUuid: string;
  /** `SaleEntity.entity_uuid` */
  readonly entityUuid: string;
}

export interface LivenessView extends LivenessSubject {
  readonly sessionToken: string;
  readonly email: string;
}

/** Returns the page on which a person confirms to be present. */
export function livenessPage(view: LivenessView, language: Language): Page {
  const { saleUuid, entityUuid, sessionToken, email } = view;
  const { liveness } = TEXTS[language];
  const { title } = liveness;
  const address = html`<strong><bdi>${email}</bdi></strong>`;
  return {
    title,
    language,
    content: html`<h1>${title}</h1>
<p>${fillHtml(liveness.text, { address })}</p>
<p class="quiet">${liveness.warning}</p>
<form method="post" action="${AUTH_PATHS.liveness}">
${hiddenFields(LIVENESS_FORM, sessionToken, { sale: saleUuid, entity: entityUuid })}
<div class="actions"><button class="primary">${liveness.confirm}</button><a class="button secondary" href="${AUTH_PATHS.account}">${liveness.notNow}</a></div>
</form>`,
  };
}

/** Returns the page that says how to go on. */
export function livenessConfirmedPage(language: Language): Page {
  const { liveness, account } = TEXTS[language];
  const title = liveness.doneTitle;
  return {
    title,
    language,
    content: html`<h1>${title}</h1>
<p>${liveness.doneText}</p>
<p><a class="button secondary" href="${AUTH_PATHS.account}">${account.title}</a></p>`,
  };
}
