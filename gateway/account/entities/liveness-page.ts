import { html } from "hono/html";
import { AUTH_PATHS } from "../../web/auth/auth-paths.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Page } from "../../web/pages/layout.ts";

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
export function livenessPage({ saleUuid, entityUuid, sessionToken, email }: LivenessView): Page {
  const title = "Confirm that you are here";
  return {
    title,
    content: html`<h1>${title}</h1>
<p>The sale wants to know that you take part yourself, before it lets you buy. You have just signed in as <strong><bdi>${email}</bdi></strong>, and that is enough.</p>
<p class="quiet">You confirm it for this sale only. Don’t do it if somebody else sent you this link.</p>
<form method="post" action="${AUTH_PATHS.liveness}">
${hiddenFields(LIVENESS_FORM, sessionToken, { sale: saleUuid, entity: entityUuid })}
<div class="actions"><button class="primary">I am here</button><a class="button secondary" href="${AUTH_PATHS.account}">Not now</a></div>
</form>`,
  };
}

/** Returns the page that says how to go on. */
export function livenessConfirmedPage(): Page {
  const title = "Thank you, that’s done";
  return {
    title,
    content: html`<h1>${title}</h1>
<p>Now go back to the application that sent you here, and try to buy again. You can close this page.</p>
<p><a class="button secondary" href="${AUTH_PATHS.account}">Your account</a></p>`,
  };
}
