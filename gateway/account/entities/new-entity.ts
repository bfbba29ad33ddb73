import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { entityPaths } from "./entity-paths.ts";
import { NEW_ENTITY_FORM, newEntityPage } from "./new-entity-page.ts";
import { orRefusal, personOf } from "./person.ts";

/** `GET /account/entities/new` */
export async function showNewEntity(c: AuthContext, dependencies: EntityDependencies) {
  const { sessionToken } = await personOf(c, dependencies);
  return showPage(c, newEntityPage({ sessionToken, type: "", label: "" }, requestLanguage(c.env.incoming)));
}

/** `POST /account/entities/new` */
export async function createEntity(c: AuthContext, dependencies: EntityDependencies) {
  const { form, sessionToken } = await sessionForm(c, dependencies, NEW_ENTITY_FORM);
  const { options } = await personOf(c, dependencies);
  const [type, label] = [form.text("type"), form.text("label").trim()];
  const language = requestLanguage(c.env.incoming);
  const refuse = (error: string) => showPage(c, newEntityPage({ sessionToken, type, label, error }, language));
  if (label === "") return refuse(TEXTS[language].newEntity.nameError);
  const kind = type === "organization" ? EntityType.ORGANIZATION : EntityType.PERSON;
  const created = await orRefusal(() =>
    dependencies.participation.entities.createEntity({ type: kind, label }, options),
  );
  if ("refusal" in created) return refuse(created.refusal);
  return c.redirect(entityPaths(created.done.entity?.uuid ?? "").entity, 303);
}
