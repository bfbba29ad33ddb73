import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import type { OwnEntity, Person } from "./person.ts";

/** Scopes with which an application sees entities. */
const ENTITY_SCOPES: ReadonlySet<string> = new Set(["read_entities", "sale_eligibility_check"]);

/** An application that the user lets see entities. */
export interface ApplicationView {
  readonly clientUuid: string;
  readonly clientName: string;
  /** Whether this entity is hidden from it. */
  readonly isHidden: boolean;
}

/** Returns the applications that may see entities of the user, each with whether it sees this one. */
export async function applicationViews(
  { clients, participation }: EntityDependencies,
  { entity, person }: OwnEntity,
): Promise<ApplicationView[]> {
  const { consents } = await clients.accounts.listConsents({ sessionToken: person.sessionToken });
  const seeing = consents.filter(({ grantedScopes }) => grantedScopes.some((scope) => ENTITY_SCOPES.has(scope)));
  return Promise.all(
    seeing.map(async ({ clientUuid, clientName }) => {
      const { entityUuids } = await participation.entities.getHiddenEntities({ clientUuid }, person.options);
      return { clientUuid, clientName, isHidden: entityUuids.includes(entity.uuid) };
    }),
  );
}

/** Hides the entity from an application that has the user's consent, or shows it again. @throws PageError 400 for others */
export async function setHidden(
  dependencies: EntityDependencies,
  own: OwnEntity,
  { clientUuid, isHidden }: { readonly clientUuid: string; readonly isHidden: boolean },
): Promise<void> {
  const views = await applicationViews(dependencies, own);
  if (!views.some((view) => view.clientUuid === clientUuid)) {
    throw new PageError(400, "This form can’t be read", "The application has no access to your entities.");
  }
  await replaceHidden(dependencies, own.person, clientUuid, (uuids) => {
    const others = uuids.filter((uuid) => uuid !== own.entity.uuid);
    return isHidden ? [...others, own.entity.uuid] : others;
  });
}

async function replaceHidden(
  { participation }: EntityDependencies,
  { options }: Person,
  clientUuid: string,
  change: (uuids: readonly string[]) => string[],
): Promise<void> {
  const { entityUuids } = await participation.entities.getHiddenEntities({ clientUuid }, options);
  await participation.entities.setHiddenEntities({ clientUuid, entityUuids: change(entityUuids) }, options);
}

/** Returns the section of an entity's page about applications. @param fields hidden fields of a form */
export function applicationSection(
  views: readonly ApplicationView[],
  action: string,
  fields: (step: string, clientUuid: string) => Html,
): Html {
  const item = ({ clientUuid, clientName, isHidden }: ApplicationView) => {
    const [step, text] = isHidden ? ["show", "Show"] : ["hide", "Hide"];
    return html`<li class="row"><div class="grow"><p><strong><bdi>${clientName}</bdi></strong> <span class="tag">${isHidden ? "Doesn’t see it" : "Sees it"}</span></p></div>
<form method="post" action="${action}">${fields(step, clientUuid)}<button class="secondary small" aria-label="${text}: ${clientName}">${text}</button></form></li>`;
  };
  return html`<section aria-labelledby="seen"><h2 id="seen">Applications</h2>
${views.length === 0 ? html`<p class="quiet">No application has access to your entities.</p>` : html`<ul class="rows">${views.map(item)}</ul>`}</section>`;
}
