import { html } from "hono/html";
import { type Entity, IdentityProvider, type LinkedWallet } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { AUTH_PATHS } from "../../web/auth/auth-paths.ts";
import { countryName } from "../../web/pages/country-entry.ts";
import { entityTypeText } from "../../web/pages/entity-type-text.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../../web/pages/fields.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import type { FormTargets } from "../../web/pages/page-headers.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { type ApplicationView, applicationSection } from "./application-views.ts";
import { entityPaths } from "./entity-paths.ts";
import { setupText } from "./entity-text.ts";
import { setupForm } from "./setup-form.ts";

export const ENTITY_FORM = "entity";

/** Messages about the change that was just made. */
export const ENTITY_CHANGES: Readonly<Record<string, string>> = {
  begun: "The identity check has begun.",
  renamed: "The name is changed.",
  linked: "The wallet is linked.",
  unlinked: "The wallet is no longer linked.",
  hidden: "The application no longer sees it.",
  shown: "The application sees it.",
};

export interface EntityView {
  readonly entity: Entity;
  readonly wallets: readonly LinkedWallet[];
  readonly provider: IdentityProvider;
  readonly applications: readonly ApplicationView[];
  readonly sessionToken: string;
  /** Origin of the pages. */
  readonly authUrl: string;
  readonly error?: string | undefined;
  readonly done?: string | undefined;
}

/** Returns the page about an entity of the user. */
export function entityPage(view: EntityView): Page {
  const { entity, error, done } = view;
  return {
    title: titleWith(entity.label, error),
    isWide: true,
    status: error === undefined ? 200 : 422,
    formTargets: view.provider === IdentityProvider.WEBHOOK ? vendorTargets(view.authUrl) : "self",
    content: html`${errorSummary(error)}${done && html`<p class="done-line" role="status">${done}</p>`}
<p><a href="${AUTH_PATHS.account}">Your account</a></p>
<h1><bdi>${entity.label}</bdi></h1>
<p class="lead">${[entityTypeText(entity.type), ...(entity.country === "" ? [] : [countryName(entity.country)])].join(" · ")}</p>
${setup(view)}
${walletSection(view)}
${applicationSection(view.applications, entityPaths(entity.uuid).entity, (step, client) => entityFields(view.sessionToken, step, { client }))}
${rename(view)}
<section aria-labelledby="deletion"><h2 id="deletion">Delete</h2><div class="row"><p class="grow quiet">It can’t be restored.</p>
<a class="button danger small" href="${entityPaths(entity.uuid).remove}">Delete…</a></div></section>`,
  };
}

/**
 * Returns the targets of the form after which the vendor's page comes. A vendor's page by HTTP is one of a developer's own
 * machine (`IDENTITY_START_URL`), where these pages come by HTTP, too.
 */
export function vendorTargets(authUrl: string): FormTargets {
  return authUrl.startsWith("https:") ? "https" : "loopback";
}

/** Returns the hidden fields of a form of the page. @param step what the form does */
export function entityFields(sessionToken: string, step: string, fields: Readonly<Record<string, string>> = {}): Html {
  return hiddenFields(ENTITY_FORM, sessionToken, { do: step, ...fields });
}

function setup({ entity, provider, sessionToken }: EntityView): Html {
  const { title, detail } = setupText(entity.setupState);
  const { setupReason, approvalExpiresAt } = entity;
  return html`<section aria-labelledby="setup"><h2 id="setup">Identity check: ${title}</h2>
<p>${detail}${approvalExpiresAt && html` The approval ends ${utcTime(approvalExpiresAt)}.`}</p>
${setupReason !== "" && html`<p>The reason: <bdi>${setupReason}</bdi></p>`}
${setupForm({ entity, provider, fields: (step) => entityFields(sessionToken, step) })}</section>`;
}

function walletSection({ entity, wallets, sessionToken }: EntityView): Html {
  const paths = entityPaths(entity.uuid);
  const item = ({ kind, address, linkedAt, boundSaleUuids: bound }: LinkedWallet) =>
    html`<li class="row"><div class="grow"><p><code>${address}</code></p><p class="quiet">Linked ${utcTime(linkedAt)}${bound.length > 0 && html`, stays bound in ${bound.length === 1 ? "a sale" : `${bound.length} sales`}`}</p></div>
<form method="post" action="${paths.entity}">${entityFields(sessionToken, "unlink", { kind: String(kind), address })}<button class="secondary small" aria-label="Unlink ${address}">Unlink</button></form></li>`;
  return html`<section aria-labelledby="wallets"><h2 id="wallets">Wallets</h2>
${wallets.length === 0 ? html`<p class="quiet">None is linked.</p>` : html`<ul class="rows">${wallets.map(item)}</ul>`}
<p><a class="button secondary small" href="${paths.wallet}">Link a wallet</a></p></section>`;
}

function rename({ entity, sessionToken }: EntityView): Html {
  return html`<section aria-labelledby="name"><h2 id="name">Name</h2><form method="post" action="${entityPaths(entity.uuid).entity}">
${entityFields(sessionToken, "rename", { version: entity.version.toString() })}
${textField({ id: "label", name: "label", label: "Its name", hint: html`Applications that you let in see it.`, value: entity.label, attributes: html`maxlength="100" autocomplete="off"` })}
<button class="secondary small">Change the name</button></form></section>`;
}
