import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { failureText } from "../../web/pages/failure.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../../web/pages/fields.ts";
import { type Page, showPage } from "../../web/pages/layout.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { redirectRefused, shownRefusal } from "../../web/sessions/refused-steps.ts";
import type { Refusal } from "../../web/sessions/sealed-refusal.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { entityPaths, NEW_ENTITY_PATH } from "./entity-paths.ts";
import { orRefusal, personOf } from "./person.ts";

const NEW_ENTITY_FORM = "new entity";

/** `GET /account/entities/new` */
export async function showNewEntity(c: AuthContext, dependencies: EntityDependencies) {
  const { sessionToken } = await personOf(c, dependencies);
  const language = requestLanguage(c.env.incoming);
  const refusal = shownRefusal(c, dependencies, sessionToken);
  const { type = "", label = "", reason } = refusal?.values ?? {};
  const failure = failureText(refusal, language);
  const error = refusal && failure === undefined ? (reason ?? TEXTS[language].newEntity.nameError) : undefined;
  return showPage(c, newEntityPage({ sessionToken, type, label, error, failure }, language));
}

function stepOf(secret: string) {
  return { secret, address: NEW_ENTITY_PATH };
}

/** `POST /account/entities/new` */
export async function createEntity(c: AuthContext, dependencies: EntityDependencies) {
  const { form, sessionToken } = await sessionForm(c, dependencies, NEW_ENTITY_FORM, NEW_ENTITY_PATH, [
    "type",
    "label",
  ]);
  const { options } = await personOf(c, dependencies);
  const [type, label] = [form.text("type"), form.text("label").trim()];
  const refuse = (refusal: Refusal) => redirectRefused(c, dependencies, stepOf(sessionToken), refusal);
  if (label === "") return refuse({ problem: "name", values: { type } });
  const kind = type === "organization" ? EntityType.ORGANIZATION : EntityType.PERSON;
  const created = await orRefusal(() =>
    dependencies.entitiesUpstream.entities.createEntity({ type: kind, label }, options),
  );
  if ("refusal" in created) {
    return refuse({ problem: "service", values: { type, label, reason: created.refusal } });
  }
  return c.redirect(entityPaths(created.done.entity?.uuid ?? "").entity, 303);
}

interface NewEntityView {
  readonly sessionToken: string;
  readonly type: string;
  readonly label: string;
  /** The mistake in the name. */
  readonly error: string | undefined;
  readonly failure: string | undefined;
}

/** Returns the page on which a user adds a person or an organization. */
function newEntityPage({ sessionToken, type, label, error, failure }: NewEntityView, language: Language): Page {
  const texts = TEXTS[language];
  const { newEntity } = texts;
  const { title } = newEntity;
  const problem = failure ?? error;
  return {
    title: titleWith(title, problem, texts),
    language,
    address: NEW_ENTITY_PATH,
    status: problem === undefined ? 200 : 422,
    content: html`${errorSummary(problem, error && "label", texts)}
<h1>${title}</h1>
<p>${newEntity.text}</p>
<form method="post" action="${NEW_ENTITY_PATH}">
${hiddenFields(NEW_ENTITY_FORM, sessionToken)}
<div class="field"><label for="type">${newEntity.kind}</label><select id="type" name="type">
<option value="person">${newEntity.myself}</option><option value="organization"${type === "organization" ? " selected" : ""}>${newEntity.organization}</option></select></div>
${textField({
  id: "label",
  name: "label",
  label: newEntity.name,
  hint: html`${newEntity.nameHint}`,
  value: label,
  error,
  attributes: html`maxlength="100" autocomplete="off"`,
})}
<div class="actions"><button class="primary">${newEntity.add}</button><a class="button secondary" href="${AUTH_PATHS.account}">${newEntity.cancel}</a></div>
</form>`,
  };
}
