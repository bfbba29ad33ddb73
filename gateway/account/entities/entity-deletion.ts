import { html } from "hono/html";
import type { Entity } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { AUTH_PATHS } from "../../web/auth/auth-paths.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { errorSummary, hiddenFields, titleWith } from "../../web/pages/fields.ts";
import { type Page, showPage } from "../../web/pages/layout.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { entityPaths } from "./entity-paths.ts";
import { orRefusal, ownEntityOf } from "./person.ts";

const FORM = "delete entity";

/** `GET /account/entities/{uuid}/delete`: after a recent sign-in. */
export async function showEntityDeletion(c: AuthContext, dependencies: EntityDependencies) {
  const { entity, person } = await ownEntityOf(c, dependencies, true);
  return showPage(c, entityDeletionPage(entity, person.sessionToken));
}

/** `POST /account/entities/{uuid}/delete` */
export async function deleteEntity(c: AuthContext, dependencies: EntityDependencies) {
  await sessionForm(c, dependencies, FORM);
  const { entity, person } = await ownEntityOf(c, dependencies, true);
  const { entities } = dependencies.participation;
  const deleted = await orRefusal(() => entities.deleteEntity({ entityUuid: entity.uuid }, person.options));
  if ("refusal" in deleted) return showPage(c, entityDeletionPage(entity, person.sessionToken, deleted.refusal));
  return c.redirect(AUTH_PATHS.account, 303);
}

function entityDeletionPage({ uuid, label }: Entity, sessionToken: string, error?: string): Page {
  const title = `Delete ${label}?`;
  const paths = entityPaths(uuid);
  return {
    title: titleWith(title, error),
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error)}<h1>Delete <bdi>${label}</bdi>?</h1>
<p>It can’t be restored, and gets no more purchase permits. What it has bought stays. Wallets that were used in a sale stay bound there, so nobody takes part twice by deleting.</p>
<form method="post" action="${paths.remove}">${hiddenFields(FORM, sessionToken)}
<div class="actions"><button class="danger">Delete</button><a class="button secondary" href="${paths.entity}">Keep it</a></div></form>`,
  };
}
