import { html } from "hono/html";
import type { ConsentStep } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { Entity } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { entityTypeText } from "../web/pages/entity-type-text.ts";
import type { Html } from "../web/pages/layout.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import { atEntities } from "../web/sessions/at-entities.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { authFailure } from "../web/sessions/auth-failure.ts";
import { seesEntities } from "../web/sessions/entity-scopes.ts";
import type { Texts } from "../web/texts/en.ts";

/** The content of the consent page about entities. */
export type EntityChoice =
  /** The application sees none, or nobody takes part through this gateway. */
  | { readonly kind: "none" }
  /** The entities service is away. */
  | { readonly kind: "unknown" }
  | { readonly kind: "listed"; readonly entities: readonly Entity[]; readonly hidden: ReadonlySet<string> };

/** Returns which entities the application will see. Without the entities service the page works, and says so. */
export async function entityChoice(
  { scopes, client }: ConsentStep,
  dependencies: AuthDependencies,
  sessionToken: string,
): Promise<EntityChoice> {
  if (!seesEntities(scopes.map(({ scope }) => scope))) return { kind: "none" };
  try {
    return await readChoice(client?.clientUuid ?? "", dependencies, sessionToken);
  } catch (error) {
    if (authFailure(error).kind === "unavailable") return { kind: "unknown" };
    throw error;
  }
}

/**
 * Stores which of the listed entities the user has left out, and leaves others as they were. To be called before the
 * consent is stored: if it fails, the application gets nothing.
 */
export async function saveEntityChoice(
  { client }: ConsentStep,
  form: PageForm,
  dependencies: AuthDependencies,
  sessionToken: string,
): Promise<void> {
  const { entitiesUpstream } = dependencies;
  const listed = new Set(form.all("listed"));
  if (entitiesUpstream === undefined || listed.size === 0) return;
  const options = await atEntities({ sessionToken }, dependencies, "");
  const { entities } = await entitiesUpstream.entities.listEntities({}, options);
  // One that was deleted after the page was made has nothing to hide.
  const chosen = entities.map(({ uuid }) => uuid).filter((uuid) => listed.has(uuid));
  const ticked = new Set(form.all("entity"));
  const change = {
    clientUuid: client?.clientUuid ?? "",
    hiddenEntityUuids: chosen.filter((uuid) => !ticked.has(uuid)),
    shownEntityUuids: chosen.filter((uuid) => ticked.has(uuid)),
  };
  await entitiesUpstream.entities.changeHiddenEntities(change, options);
}

async function readChoice(
  clientUuid: string,
  dependencies: AuthDependencies,
  sessionToken: string,
): Promise<EntityChoice> {
  const { entitiesUpstream } = dependencies;
  if (entitiesUpstream === undefined) return { kind: "none" };
  const options = await atEntities({ sessionToken }, dependencies, "");
  const [{ entities }, { hiddenEntities }] = await Promise.all([
    entitiesUpstream.entities.listEntities({}, options),
    entitiesUpstream.entities.getHiddenEntities({ clientUuids: [clientUuid] }, options),
  ]);
  return { kind: "listed", entities, hidden: new Set(hiddenEntities.map(({ entityUuid }) => entityUuid)) };
}

/** Returns the part of the consent form with a box for each entity. */
export function entityFieldset(choice: EntityChoice, texts: Texts): Html | false {
  const { consent } = texts;
  if (choice.kind === "none") return false;
  if (choice.kind === "unknown") {
    return html`<p class="quiet" role="status">${consent.entitiesAway}</p>`;
  }
  if (choice.entities.length === 0) return html`<p class="quiet">${consent.noEntities}</p>`;
  return html`<fieldset><legend>${consent.entities}</legend>
<ul class="scopes">${choice.entities.map((entity) => entityItem(entity, choice.hidden, texts))}</ul>
<p class="quiet">${consent.entitiesHint}</p></fieldset>`;
}

function entityItem({ uuid, label, type }: Entity, hidden: ReadonlySet<string>, texts: Texts): Html {
  const id = `entity-${uuid}`;
  return html`<li><input type="hidden" name="listed" value="${uuid}"><input type="checkbox" id="${id}" name="entity" value="${uuid}"${hidden.has(uuid) ? "" : " checked"}>
<label for="${id}"><span class="scope-title"><bdi>${label}</bdi></span>
<span class="scope-detail">${entityTypeText(type, texts)}</span></label></li>`;
}
