import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { entityPaths } from "./entity-paths.ts";
import { NEW_ENTITY_FORM, newEntityPage } from "./new-entity-page.ts";
import { orRefusal, personOf } from "./person.ts";

/** `GET /account/entities/new` */
export async function showNewEntity(c: AuthContext, dependencies: EntityDependencies) {
  const { sessionToken } = await personOf(c, dependencies);
  return showPage(c, newEntityPage({ sessionToken, type: "", label: "" }));
}

/** `POST /account/entities/new` */
export async function createEntity(c: AuthContext, dependencies: EntityDependencies) {
  const { form, sessionToken } = await sessionForm(c, dependencies, NEW_ENTITY_FORM);
  const { options } = await personOf(c, dependencies);
  const [type, label] = [form.text("type"), form.text("label").trim()];
  const refuse = (error: string) => showPage(c, newEntityPage({ sessionToken, type, label, error }));
  if (label === "") return refuse("Enter a name.");
  const kind = type === "organization" ? EntityType.ORGANIZATION : EntityType.PERSON;
  const created = await orRefusal(() =>
    dependencies.participation.entities.createEntity({ type: kind, label }, options),
  );
  if ("refusal" in created) return refuse(created.refusal);
  return c.redirect(entityPaths(created.done.entity?.uuid ?? "").entity, 303);
}
