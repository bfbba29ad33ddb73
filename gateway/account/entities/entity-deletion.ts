import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { Entity } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { failureText } from "../../web/pages/failure.ts";
import { errorSummary, hiddenFields, titleWith } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { type Page, showPage } from "../../web/pages/layout.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { redirectRefused, shownRefusal } from "../../web/sessions/refused-steps.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { entityPaths } from "./entity-paths.ts";
import { orRefusal, ownEntityOf } from "./person.ts";

const FORM = "delete entity";

/** `GET /account/entities/{uuid}/delete`: after a recent sign-in. */
export async function showEntityDeletion(c: AuthContext, dependencies: EntityDependencies) {
  const { entity, person } = await ownEntityOf(c, dependencies, true);
  const { sessionToken } = person;
  const language = requestLanguage(c.env.incoming);
  const refusal = shownRefusal(c, dependencies, sessionToken);
  const error = failureText(refusal, language) ?? refusal?.values["reason"];
  return showPage(c, entityDeletionPage({ entity, sessionToken, error }, language));
}

function stepOf({ uuid }: Entity, secret: string) {
  return { secret, address: entityPaths(uuid).remove };
}

/** `POST /account/entities/{uuid}/delete` */
export async function deleteEntity(c: AuthContext, dependencies: EntityDependencies) {
  await sessionForm(c, dependencies, FORM, c.req.path);
  const { entity, person } = await ownEntityOf(c, dependencies, true);
  const { entities } = dependencies.entitiesUpstream;
  const deleted = await orRefusal(() => entities.deleteEntity({ entityUuid: entity.uuid }, person.options));
  if ("refusal" in deleted) {
    const refusal = { problem: "service", values: { reason: deleted.refusal } };
    return redirectRefused(c, dependencies, stepOf(entity, person.sessionToken), refusal);
  }
  return c.redirect(AUTH_PATHS.account, 303);
}

interface EntityDeletionView {
  readonly entity: Entity;
  readonly sessionToken: string;
  readonly error: string | undefined;
}

function entityDeletionPage({ entity, sessionToken, error }: EntityDeletionView, language: Language): Page {
  const texts = TEXTS[language];
  const { title, text, delete: remove, keep } = texts.entityDeletion;
  const paths = entityPaths(entity.uuid);
  return {
    title: titleWith(fill(title, { entity: entity.label }), error, texts),
    language,
    address: paths.remove,
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, undefined, texts)}<h1>${fillHtml(title, { entity: html`<bdi>${entity.label}</bdi>` })}</h1>
<p>${text}</p>
<form method="post" action="${paths.remove}">${hiddenFields(FORM, sessionToken)}
<div class="actions"><button class="danger">${remove}</button><a class="button secondary" href="${paths.entity}">${keep}</a></div></form>`,
  };
}
