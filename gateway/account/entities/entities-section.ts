import { html } from "hono/html";
import type { Entity, IssuedPermitSummary } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { countryName } from "../../web/pages/country-entry.ts";
import { entityTypeText } from "../../web/pages/entity-type-text.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { entityPaths, NEW_ENTITY_PATH } from "./entity-paths.ts";
import { setupText } from "./entity-text.ts";

/** The content of the account page about entities. */
export interface EntitiesView {
  readonly entities: readonly Entity[];
  /** Permits of the last 30 days, the newest first. */
  readonly permits: readonly IssuedPermitSummary[];
}

/** Returns the account page's sections about entities and permits. */
export function entitySections({ entities, permits }: EntitiesView): Html {
  return html`<section aria-labelledby="entities"><h2 id="entities">Who takes part in sales</h2>
${entities.length === 0 ? html`<p class="quiet">Nobody so far. Add yourself, or an organization that you act for.</p>` : html`<ul class="rows">${entities.map(entityItem)}</ul>`}
<p><a class="button secondary small" href="${NEW_ENTITY_PATH}">Add a person or organization</a></p></section>
${permits.length > 0 && permitSection(permits, entities)}`;
}

/** Returns what the account page says while the entities service is away. */
export function entitiesAway(): Html {
  return html`<section aria-labelledby="entities"><h2 id="entities">Who takes part in sales</h2>
<p class="quiet" role="status">Your entities can’t be shown now. Please come back in some minutes.</p></section>`;
}

function entityItem({ uuid, type, label, country, setupState, setupReason, approvalExpiresAt }: Entity): Html {
  const { title, detail } = setupText(setupState);
  const facts = [entityTypeText(type), ...(country === "" ? [] : [countryName(country)])].join(" · ");
  return html`<li class="row"><div class="grow"><p><strong><bdi>${label}</bdi></strong> <span class="tag">${title}</span></p>
<p class="quiet">${facts}</p>
${setupReason !== "" && html`<p class="quiet"><bdi>${setupReason}</bdi></p>`}
<p class="quiet">${detail}${approvalExpiresAt && html` Until ${utcTime(approvalExpiresAt)}.`}</p></div>
<a class="button secondary small" href="${entityPaths(uuid).entity}" aria-label="Open ${label}">Open</a></li>`;
}

function permitSection(permits: readonly IssuedPermitSummary[], entities: readonly Entity[]): Html {
  const names = new Map(entities.map(({ uuid, label }) => [uuid, label]));
  return html`<section aria-labelledby="permits"><h2 id="permits">Purchase permits of the last 30 days</h2>
<ul class="rows">${permits.map(
    ({ entityUuid, wallet, issuedAt, expiresAt }) => html`<li class="row"><div class="grow">
<p><strong><bdi>${names.get(entityUuid) ?? "A deleted entity"}</bdi></strong></p><p class="quiet">For the wallet <code>${wallet}</code></p>
<p class="quiet">Issued ${utcTime(issuedAt)}, valid until ${utcTime(expiresAt)}</p></div></li>`,
  )}</ul></section>`;
}
