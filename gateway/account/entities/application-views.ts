import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import type { Consent } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { unreadableForm } from "../../web/pages/page-form.ts";
import { seesEntities } from "../../web/sessions/entity-scopes.ts";
import type { Texts } from "../../web/texts/en.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import type { OwnEntity } from "./person.ts";

/** Most applications in one question to the entities service, by its contract. */
const MAX_CLIENTS = 100;

/** An application that the user lets see entities. */
export interface ApplicationView {
  readonly clientUuid: string;
  readonly clientName: string;
  /** Whether this entity is hidden from it. */
  readonly isHidden: boolean;
}

/** Returns the applications that may see entities of the user, each with whether it sees this one. */
export async function applicationViews(
  { entitiesUpstream }: EntityDependencies,
  { entity, person }: OwnEntity,
  consents: readonly Consent[],
): Promise<ApplicationView[]> {
  const seeing = consents.filter(({ grantedScopes }) => seesEntities(grantedScopes));
  const views: ApplicationView[] = [];
  for (let first = 0; first < seeing.length; first += MAX_CLIENTS) {
    const some = seeing.slice(first, first + MAX_CLIENTS);
    const clientUuids = some.map(({ clientUuid }) => clientUuid);
    const { hiddenEntities } = await entitiesUpstream.entities.getHiddenEntities({ clientUuids }, person.options);
    const hiding = new Set(hiddenEntities.filter((one) => one.entityUuid === entity.uuid).map((one) => one.clientUuid));
    views.push(
      ...some.map(({ clientUuid, clientName }) => ({ clientUuid, clientName, isHidden: hiding.has(clientUuid) })),
    );
  }
  return views;
}

/** Hides the entity from an application that has the user's consent, or shows it again. @throws PageError 400 for others */
export async function setHidden(
  dependencies: EntityDependencies,
  own: OwnEntity,
  { clientUuid, isHidden }: { readonly clientUuid: string; readonly isHidden: boolean },
): Promise<void> {
  const { sessionToken } = own.person;
  const { consents } = await dependencies.clients.accounts.listConsents({ sessionToken });
  const views = await applicationViews(dependencies, own, consents);
  if (!views.some((view) => view.clientUuid === clientUuid)) {
    throw unreadableForm(400, ({ entity }) => entity.noAccess);
  }
  const named = isHidden ? { hiddenEntityUuids: [own.entity.uuid] } : { shownEntityUuids: [own.entity.uuid] };
  await dependencies.entitiesUpstream.entities.changeHiddenEntities({ clientUuid, ...named }, own.person.options);
}

/** Returns the section of an entity's page about applications. @param fields hidden fields of a form */
export function applicationSection(
  views: readonly ApplicationView[],
  action: string,
  fields: (step: string, clientUuid: string) => Html,
  { entity: texts }: Texts,
): Html {
  const item = ({ clientUuid, clientName, isHidden }: ApplicationView) => {
    const [step, text, label] = isHidden ? ["show", texts.show, texts.showOf] : ["hide", texts.hide, texts.hideOf];
    return html`<li class="row"><div class="grow"><p><strong><bdi>${clientName}</bdi></strong> <span class="tag">${isHidden ? texts.isHidden : texts.isSeen}</span></p></div>
<form method="post" action="${action}">${fields(step, clientUuid)}<button class="secondary small" aria-label="${fill<"application">(label, { application: clientName })}">${text}</button></form></li>`;
  };
  return html`<section aria-labelledby="seen"><h2 id="seen">${texts.applications}</h2>
${views.length === 0 ? html`<p class="quiet">${texts.noApplications}</p>` : html`<ul class="rows">${views.map(item)}</ul>`}</section>`;
}
